import { memoize } from '../collections/memoize.ts';
import { defined, isContainer, memberOf } from '../collections/objects.ts';
import { argumentKeys, companions, nameKeys, onlyKey } from '../notations/call-envelope.ts';
import { endOfContainer } from '../notations/json-body.ts';
import { plainText } from '../notations/notation.ts';
import type { OfferedTool } from '../notations/offered-tools.ts';
import { isSameName } from '../notations/read-notation.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import type { Effects, ToolContract } from '../tool/tool-contract.ts';
import { interpretSentCall, rawTextOf } from './interpret.ts';
import type { Interpretation } from './interpretation.ts';
import { takeMeta } from './take-meta.ts';

/** Which calls in a text are read: see `ReadCallsOptions`. */
export type CallsMeant = 'marked' | 'all';

/** A tool for the reader of calls in text. */
export const offeredTool = (name: string, tool: unknown, callsMeant: CallsMeant): OfferedTool =>
  new LazyTool(name, () => knownTool(name, tool, callsMeant));

/** Its contract is made, or asked for, when a call names the tool: most texts have none. */
class LazyTool implements OfferedTool {
  readonly name: string;
  readonly #make: () => OfferedTool;
  #knownTool: OfferedTool | undefined;

  constructor(name: string, make: () => OfferedTool) {
    this.name = name;
    this.#make = make;
  }

  get isStrict(): boolean {
    return this.#tool.isStrict;
  }

  get isDeclared(): OfferedTool['isDeclared'] {
    return this.#tool.isDeclared;
  }

  get declaredKeys(): ReadonlySet<string> {
    return this.#tool.declaredKeys;
  }

  get rawText(): OfferedTool['rawText'] {
    return this.#tool.rawText;
  }

  get accept(): OfferedTool['accept'] {
    return this.#tool.accept;
  }

  get readCallObject(): OfferedTool['readCallObject'] {
    return this.#tool.readCallObject;
  }

  get #tool(): OfferedTool {
    this.#knownTool ??= this.#make();
    return this.#knownTool;
  }
}

function knownTool(name: string, tool: unknown, callsMeant: CallsMeant): OfferedTool {
  const contract = contractOf(tool);
  if (contract === undefined) return toolByName(name, callsMeant);
  const { isDeclared, declaredKeys, rawText } = rawTextOf(contract);
  const { effects } = contract;
  return {
    name,
    isStrict: effects === 'destructive' || (effects === undefined && callsMeant === 'marked'),
    isDeclared,
    declaredKeys,
    rawText,
    accept: (text, hasEdits) => acceptedText(contract, text, hasEdits),
    readCallObject: (text) => argumentsInBroken(contract, text),
  };
}

/** A tool of which nothing is known but its name: it takes all arguments. */
const toolByName = (name: string, callsMeant: CallsMeant): OfferedTool => ({
  name,
  isStrict: callsMeant === 'marked',
  isDeclared: undefined,
  declaredKeys: new Set(),
  rawText: plainText,
  accept: (text) => (/^\s*\{/.test(text) ? text : undefined),
  readCallObject: () => undefined,
});

/** The contract that a value is, or that its schema makes; undefined if it has none. */
export const contractOf = (tool: unknown): ToolContract | undefined =>
  typeof tool === 'object' && tool !== null ? contractOfObject(tool) : undefined;

const contractOfObject = memoize((tool: object): ToolContract | undefined => {
  const ready = memberOf(tool, 'contract') ?? tool;
  if (typeof ready === 'object' && isContract(ready)) return ready;
  const definition = memberOf(tool, 'function') ?? tool;
  const inputSchema =
    memberOf(definition, 'inputSchema') ??
    memberOf(definition, 'input_schema') ??
    memberOf(definition, 'parameters');
  const name = memberOf(definition, 'name');
  if (typeof inputSchema !== 'object' || inputSchema === null || typeof name !== 'string')
    return undefined;
  const effects = effectsOf(definition) ?? effectsOf(tool);
  try {
    const contract = contractFromSchema({
      name,
      inputSchema,
      onUnusableSchema: 'warn',
      ...(effects === undefined ? {} : { effects }),
    });
    interpret(contract, '{}');
    return contract.unusable === undefined ? contract : undefined;
  } catch {
    return undefined;
  }
});

const isContract = (tool: object): tool is ToolContract =>
  isContainer(memberOf(tool, 'inputSchema')) && memberOf(tool, 'binding') !== undefined;

/**
 * The effects that a tool states. Of MCP's annotations only `destructiveHint: true` counts, because a
 * server's hints must not make its tools look harmless.
 */
function effectsOf(tool: unknown): Effects | undefined {
  const effects = memberOf(tool, 'effects');
  if (effects === 'read' || effects === 'write' || effects === 'destructive') return effects;
  const isDestructive = memberOf(memberOf(tool, 'annotations'), 'destructiveHint') === true;
  return isDestructive ? 'destructive' : undefined;
}

const interpret = (contract: ToolContract, text: string, finishReason?: string): Interpretation =>
  interpretSentCall(
    contract,
    finishReason === undefined ? { arguments: text } : { arguments: text, finishReason },
    { output: 'json' },
    { mapping: undefined, takeMeta },
  );

/** What is left out by rules that drop what was sent. */
const drops = /^(?:drop_|fill_)/;

function acceptedText(contract: ToolContract, text: string, hasEdits: boolean): string | undefined {
  const result = interpret(contract, text);
  if (result.status === 'rejected') return undefined;
  if (hasEdits && result.repairs.some(({ rule }) => drops.test(rule))) return undefined;
  return JSON.stringify(result.value);
}

/** Reads a broken call object as arguments of their own: its name, and what the tool takes. */
function argumentsInBroken(contract: ToolContract, text: string): string | undefined {
  const keys = keysOfCall(contract, text);
  if (keys === undefined) return undefined;
  const envelope = envelopesOf(contract)(keys);
  const result = envelope && interpret(envelope, text, 'stop');
  if (result === undefined || result.status === 'rejected') return undefined;
  const inner = memberOf(result.value, keys.argumentsKey);
  if (!isContainer(inner)) return undefined;
  // A key that isn't the tool's may be the call's own.
  const { isDeclared } = rawTextOf(contract);
  const isOwn = isDeclared === undefined || Object.keys(inner).every(isDeclared);
  return isOwn ? JSON.stringify(inner) : undefined;
}

/** The keys of a call object. */
interface CallKeys {
  /** The key of its arguments. */
  readonly argumentsKey: string;
  /** Those before its arguments: of its name, and of what it has beside the call. */
  readonly before: readonly string[];
  /** Those after the closer of its arguments. */
  readonly after: readonly string[];
}

/** The keys of a call object, or the tool's name alone. */
function keysOfCall(contract: ToolContract, text: string): CallKeys | undefined {
  const [, onlyName = ''] = onlyKey.exec(text) ?? [];
  if (onlyName !== '' && isSameName(onlyName, contract.name))
    return { argumentsKey: onlyName, before: [], after: [] };
  const keys = [...text.matchAll(keyInBroken)];
  const names = keys.map(([, key = '']) => key);
  const nameKey = names.find((key) => nameKeys.has(key));
  const at = names.findIndex((key) => argumentKeys.has(key));
  const argumentsKey = names[at];
  if (nameKey === undefined || argumentsKey === undefined) return undefined;
  const { isDeclared } = rawTextOf(contract);
  // What the tool declares may be an argument.
  const isBeside = (key: string): boolean =>
    key !== nameKey && companions.has(key) && isDeclared?.(key) === false;
  const before = [...new Set([...names.slice(0, at).filter(isBeside), nameKey])];
  const start = text.indexOf('{', keys[at]?.index);
  const end = start === -1 ? undefined : endOfContainer(text, start);
  const after = keys
    .filter(({ index }) => end !== undefined && index >= end)
    .map(([, key = '']) => key)
    .filter((key) => isBeside(key) && !before.includes(key));
  return { argumentsKey, before, after: [...new Set(after)] };
}

/** A key, whose quote or colon may be lost. */
const keyInBroken = /(?<![\w\\])["'“]?(\w{1,20})["'”]?\s{0,64}(?::|(?=["'“{]))/g;

/** The contract of a call object, by the keys that it has. */
const envelopesOf = memoize((contract: ToolContract) => {
  const contractsByKeys = new Map<string, ToolContract | undefined>();
  return (keys: CallKeys): ToolContract | undefined => {
    const id = JSON.stringify(keys);
    if (!contractsByKeys.has(id)) contractsByKeys.set(id, envelopeOf(contract, keys));
    return contractsByKeys.get(id);
  };
});

function envelopeOf(
  contract: ToolContract,
  { argumentsKey, before, after }: CallKeys,
): ToolContract | undefined {
  const { $defs, definitions, ...schema } = contract.inputSchema;
  const text = (key: string) => [key, { type: 'string' }] as const;
  try {
    return contractFromSchema({
      name: contract.name,
      inputSchema: {
        type: 'object',
        ...defined({ $defs, definitions }),
        properties: {
          ...Object.fromEntries(before.map(text)),
          [argumentsKey]: schema,
          ...Object.fromEntries(after.map(text)),
        },
        required: [...before, argumentsKey],
        additionalProperties: false,
      },
      onUnusableSchema: 'warn',
      ...defined({ effects: contract.effects }),
    });
  } catch {
    return undefined;
  }
}
