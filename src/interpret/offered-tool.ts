import { memoize } from '../collections/memoize.ts';
import { defined, isContainer, memberOf } from '../collections/objects.ts';
import { argumentKeys, companions, nameKeys, onlyKey } from '../notations/call-envelope.ts';
import { plainText } from '../notations/notation.ts';
import type { OfferedTool } from '../notations/offered-tools.ts';
import { isSameName } from '../notations/read-notation.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
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
  const effects = memberOf(definition, 'effects');
  try {
    const contract = contractFromSchema({
      name,
      inputSchema,
      onUnusableSchema: 'warn',
      ...(isEffects(effects) ? { effects } : {}),
    });
    interpret(contract, '{}');
    return contract.unusable === undefined ? contract : undefined;
  } catch {
    return undefined;
  }
});

const isContract = (tool: object): tool is ToolContract =>
  isContainer(memberOf(tool, 'inputSchema')) && memberOf(tool, 'binding') !== undefined;

const isEffects = (value: unknown): value is 'read' | 'write' | 'destructive' =>
  value === 'read' || value === 'write' || value === 'destructive';

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
  const argumentsKey = keys?.at(-1);
  if (keys === undefined || argumentsKey === undefined) return undefined;
  const envelope = envelopesOf(contract)(keys.join(' '));
  const result = envelope && interpret(envelope, text, 'stop');
  if (result === undefined || result.status === 'rejected') return undefined;
  const inner = memberOf(result.value, argumentsKey);
  if (!isContainer(inner)) return undefined;
  // A key that isn't the tool's may be the call's own.
  const { isDeclared } = rawTextOf(contract);
  const isOwn = isDeclared === undefined || Object.keys(inner).every(isDeclared);
  return isOwn ? JSON.stringify(inner) : undefined;
}

/**
 * The keys of a call object: of what it has beside the call, of its name and of its arguments; or
 * the tool's name alone.
 */
function keysOfCall(contract: ToolContract, text: string): readonly string[] | undefined {
  const [, onlyName = ''] = onlyKey.exec(text) ?? [];
  if (onlyName !== '' && isSameName(onlyName, contract.name)) return [onlyName];
  // A quote or a colon may be lost.
  const keys = [...text.matchAll(/(?<![\w\\])["'“]?(\w{1,20})["'”]?\s{0,64}(?::|(?=["'“{]))/g)].map(
    ([, key = '']) => key,
  );
  const nameKey = keys.find((key) => nameKeys.has(key));
  const at = keys.findIndex((key) => argumentKeys.has(key));
  const argumentsKey = keys[at];
  if (nameKey === undefined || argumentsKey === undefined) return undefined;
  // What comes after the arguments may be one of them, and so may what the tool declares.
  const { isDeclared } = rawTextOf(contract);
  const others = keys
    .slice(0, at)
    .filter((key) => key !== nameKey && companions.has(key) && isDeclared?.(key) === false);
  return [...new Set(others), nameKey, argumentsKey];
}

/** The contract of a call object, by the keys that it has. */
const envelopesOf = memoize((contract: ToolContract) => {
  const contractsByName = new Map<string, ToolContract | undefined>();
  return (keys: string): ToolContract | undefined => {
    if (!contractsByName.has(keys)) contractsByName.set(keys, envelopeOf(contract, keys));
    return contractsByName.get(keys);
  };
});

function envelopeOf(contract: ToolContract, keys: string): ToolContract | undefined {
  const required = keys.split(' ');
  const argumentsKey = required.at(-1) ?? '';
  const { $defs, definitions, ...schema } = contract.inputSchema;
  try {
    return contractFromSchema({
      name: contract.name,
      inputSchema: {
        type: 'object',
        ...defined({ $defs, definitions }),
        properties: {
          ...Object.fromEntries(required.slice(0, -1).map((key) => [key, { type: 'string' }])),
          [argumentsKey]: schema,
        },
        required,
        additionalProperties: false,
      },
      onUnusableSchema: 'warn',
      ...defined({ effects: contract.effects }),
    });
  } catch {
    return undefined;
  }
}
