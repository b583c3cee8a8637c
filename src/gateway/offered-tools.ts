import { interpret } from '../interpret/interpret-arguments.ts';
import { plainArguments } from '../interpret/interpret.ts';
import { type Interpretation, argumentsText } from '../interpret/interpretation.ts';
import { refusedInHistory } from '../interpret/records.ts';
import type { ToolCall } from '../interpret/tool-call.ts';
import { readJsonPrefix } from '../json/lenient-parser.ts';
import { exactJson, plainJson } from '../json/parse.ts';
import { type JsonEdit, JsonSlices } from '../json/json-edits.ts';
import { isMatch } from '../collections/name-pattern.ts';
import { defined } from '../collections/objects.ts';
import { isJsonObject, maxTextDepth } from '../json/value.ts';
import type { Issue } from '../messages/issue.ts';
import { fieldMisses } from '../learning/field-misses.ts';
import type { ConversationHints } from '../learning/learned-hints.ts';
import { toolDescription } from '../messages/describe-tool.ts';
import type { HintedMiss } from '../messages/miss-sentences.ts';
import { argumentMapping, providers } from '../providers/providers.ts';
import { transformTool } from '../providers/transform-tool.ts';
import {
  type InnerTool,
  findTool,
  innerToolIn,
  interpretDispatched,
} from '../registry/interpret-call.ts';
import type { Effects, ToolContract } from '../tool/tool-contract.ts';
import type { CheckedTool, ContractCache } from './contract-cache.ts';
import type { DispatchSettings, SchemaTarget } from './gateway-options.ts';
import { providerRule } from './call-counts.ts';
import type { HintedTool } from './recent-tools.ts';
import type { RequestTool, PastCall } from './protocol.ts';
import { objectAt } from '../json/members.ts';

/**
 * What became of a call. `unchanged`: valid as sent. `repaired`: `name` and `arguments`, JSON text,
 * replace what was sent. `rejected` and `unknown_tool`: passed on as sent, but for `arguments`, the
 * JSON text without what was around it; `message` says to the model what is wrong. `unchecked`: the
 * schema can't be used.
 */
export type CallVerdict =
  | { readonly kind: 'unchanged' | 'unchecked' }
  | {
      readonly kind: 'repaired';
      readonly name: string;
      readonly arguments: string;
      readonly rules: readonly string[];
      /** What hints that learn count. */
      readonly misses: readonly HintedMiss[];
    }
  | {
      readonly kind: 'rejected';
      readonly message: string;
      readonly issues: readonly Issue[];
      readonly misses: readonly HintedMiss[];
      readonly arguments?: string;
    }
  | { readonly kind: 'unknown_tool'; readonly message: string }
  /** Read in the error with which the server answered, and answered as a call. */
  | { readonly kind: 'recovered'; readonly rules: readonly string[] }
  /** The server answered with an error, because it could not read the call. */
  | { readonly kind: 'server_error'; readonly message: string };

/** The rule of a call whose tool was written in another spelling. */
const nameRule = 'tool_name';
/** The rule of arguments that came as text where the API has a value, or the other way round. */
const shapeRule = 'arguments_shape';

/** A tool of the request, with what the options say about it. */
type OfferedTool = RequestTool & CheckedTool;

/**
 * If two tools share a name but not a schema, a call doesn't say which one it means, so it isn't
 * checked.
 */
function byName(tools: readonly RequestTool[]): ReadonlyMap<string, RequestTool> {
  const toolsByName = new Map<string, RequestTool>();
  for (const tool of tools) {
    const other = toolsByName.get(tool.name);
    const isSame =
      other === undefined || JSON.stringify(other.schema) === JSON.stringify(tool.schema);
    const effects = [other?.effects, tool.effects].find((one) => one === 'destructive');
    toolsByName.set(
      tool.name,
      isSame ? { ...tool, ...defined({ effects }) } : { ...tool, schema: undefined },
    );
  }
  return toolsByName;
}

/** What the gateway's options say about tools. */
export interface ToolSettings {
  /** By name, in which `*` stands for any characters. They win over what the request says. */
  readonly effects: Readonly<Record<string, Effects>>;
  /** Tools that call other tools, by name, in which `*` stands for any characters. */
  readonly dispatches: Readonly<Record<string, DispatchSettings>>;
  /** Descriptions get hints. */
  readonly hints: boolean;
  /** Sentences for descriptions by name, in which `*` stands for any characters. */
  readonly toolHints: Readonly<Record<string, readonly string[]>>;
  /** Schemas become those of this provider. */
  readonly schemasFor: SchemaTarget | undefined;
  /** Tools are strict if the server takes it. */
  readonly strict: boolean;
}

/**
 * Whether arguments are what the provider's schema asks for, such as null for an optional member.
 */
function isProviderForm(
  contract: ToolContract,
  { arguments: argumentText }: ToolCall,
  provider: SchemaTarget,
): boolean {
  const value = typeof argumentText === 'string' ? plainJson(argumentText) : undefined;
  const mapping = argumentMapping(contract, provider);
  if (mapping === undefined || !isJsonObject(value)) return false;
  return interpret(contract, { arguments: mapping.restore(value) }).status === 'unchanged';
}

/**
 * JSON text of the arguments of a rejected call, if they came in another form. The client may run
 * what it can read, so the text must be rejected by itself: its form, or the end of the answer, was
 * not the only fault.
 */
function rejectedText(
  contract: ToolContract,
  call: ToolCall,
  isMisshaped: boolean,
): string | undefined {
  const { arguments: argumentText } = call;
  const isObject = typeof argumentText === 'string' && isJsonObject(plainJson(argumentText));
  const text = isObject && isMisshaped ? argumentText : plainArguments(contract, call);
  if (text === undefined) return undefined;
  const result = interpret(contract, { arguments: text }, { output: 'json' });
  return result.status === 'rejected' ? text : undefined;
}

/** What the first pattern that a name matches says. */
const firstMatch = <Value>(
  patterns: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => Object.entries(patterns).find(([pattern]) => isMatch(pattern, name))?.[1];

/** A tool of a request, as the reader of calls in text takes it. */
export interface ToolToRead {
  readonly name: string;
  /** undefined: the schema can't be used. */
  readonly contract: ToolContract | undefined;
}

/** The tools of one request. A contract is made when a call needs it. */
export class RequestTools {
  readonly #tools: ReadonlyMap<string, OfferedTool>;
  readonly #cache: ContractCache;
  readonly #settings: ToolSettings;

  constructor(tools: readonly RequestTool[], cache: ContractCache, settings: ToolSettings) {
    this.#cache = cache;
    this.#settings = settings;
    const offeredTools = byName(
      tools.map((tool) => ({ ...tool, effects: this.#effectsOf(tool.name) ?? tool.effects })),
    );
    this.#tools = new Map(
      [...offeredTools].map(([name, tool]) => [name, this.#withDispatch(tool)] as const),
    );
  }

  #effectsOf(name: string): Effects | undefined {
    return firstMatch(this.#settings.effects, name);
  }

  #withDispatch(tool: RequestTool): OfferedTool {
    const dispatches = firstMatch(this.#settings.dispatches, tool.name);
    if (dispatches === undefined) return tool;
    const { name, arguments: argumentsKey } = dispatches;
    return { ...tool, dispatches: { name, arguments: argumentsKey } };
  }

  /**
   * The tools of the setting are all that there are. Without them, those of the request are known,
   * and the dispatcher may have others.
   */
  #innerTool(outer: string, requestedName: string): InnerTool {
    const tools = firstMatch(this.#settings.dispatches, outer)?.tools;
    if (tools !== undefined) return innerToolIn(this.#listedTools(tools), requestedName);
    const match = findTool(this.#tools, requestedName);
    const contract =
      match.kind === 'unknown' || match.name === outer
        ? undefined
        : this.#cache.contractOf(match.tool);
    return contract === undefined ? { kind: 'unlisted' } : { kind: 'known', contract };
  }

  /** A gateway doesn't start with schemas that can't be used. */
  #listedTools(tools: NonNullable<DispatchSettings['tools']>): ReadonlyMap<string, ToolContract> {
    return new Map(
      Object.entries(tools).flatMap(([name, schema]) => {
        const effects = this.#effectsOf(name);
        const contract = this.#cache.contractOf({ name, description: '', schema, effects });
        return contract === undefined ? [] : [[name, contract] as const];
      }),
    );
  }

  #interpret(contract: ToolContract, call: ToolCall): Interpretation {
    const { schemasFor: provider } = this.#settings;
    const interpretBy = (judgingContract: ToolContract): Interpretation =>
      interpret(judgingContract, call, { output: 'json', provider });
    const findInner = ({ name: outer }: ToolContract, name: string): InnerTool =>
      this.#innerTool(outer, name);
    return interpretDispatched(contract, interpretBy(contract), { findInner, interpretBy })
      .interpretation;
  }

  /** The tools for the reader of calls in text. Contracts are made when calls need them. */
  get toRead(): readonly ToolToRead[] {
    return Array.from(this.#tools.values(), (tool) => {
      const cache = this.#cache;
      return {
        name: tool.name,
        get contract() {
          return cache.contractOf(tool);
        },
      };
    });
  }

  /** The tools that have arguments of all these names. */
  namesWith(keys: readonly string[]): readonly string[] {
    if (keys.length === 0) return [];
    return [...this.#tools.values()].flatMap(({ name, schema }) => {
      const properties = objectAt(schema ?? {}, 'properties') ?? {};
      return keys.every((key) => Object.hasOwn(properties, key)) ? [name] : [];
    });
  }

  /** The tools that have a schema, with the sentences that the options add. */
  get hintedTools(): readonly HintedTool[] {
    return [...this.#tools.values()].flatMap((tool) => {
      const { name, description, schema, effects, dispatches } = tool;
      if (schema === undefined) return [];
      const sentences = this.#sentencesFor(tool);
      return [{ name, description, schema, effects, dispatches, sentences }];
    });
  }

  get size(): number {
    return this.#tools.size;
  }

  /** The tool that a call means; undefined if there is none. */
  toolOf(name: string): OfferedTool | undefined {
    const match = findTool(this.#tools, name);
    return match.kind === 'unknown' ? undefined : match.tool;
  }

  /** Interprets one call. `isMisshaped` as in `CallPart`. */
  check(call: ToolCall, isMisshaped: boolean): CallVerdict {
    const match = findTool(this.#tools, call.name);
    if (match.kind === 'unknown') return { kind: 'unknown_tool', message: match.message };
    const contract = this.#cache.contractOf(match.tool);
    if (contract === undefined) return { kind: 'unchecked' };
    const { schemasFor: provider } = this.#settings;
    const result = this.#interpret(contract, call);
    if (result.status === 'rejected') {
      const plain = rejectedText(contract, call, isMisshaped);
      const { message, issues } = result;
      const misses = fieldMisses(contract, result);
      return { kind: 'rejected', message, issues, misses, ...defined({ arguments: plain }) };
    }
    const text = argumentsText(result);
    const repairs = new Set(result.repairs.map(({ rule }) => rule));
    const isRestored =
      provider !== undefined &&
      !isSameJson(text, call.arguments) &&
      (repairs.size === 0 || isProviderForm(contract, call, provider));
    const rules = [
      ...(match.kind === 'resolved' ? [nameRule] : []),
      ...(isMisshaped ? [shapeRule] : []),
      ...(isRestored ? [providerRule] : repairs),
    ];
    return rules.length === 0
      ? { kind: 'unchanged' }
      : {
          kind: 'repaired',
          name: match.name,
          arguments: text,
          rules,
          misses: isRestored ? [] : fieldMisses(contract, result),
        };
  }

  /**
   * Edits of the tools' descriptions and schemas that the gateway's options ask for, and learned
   * hints. A tool whose schema can't be used only gets the sentences for its name, if the request
   * describes it.
   */
  toolEdits(conversation: ConversationHints | undefined): readonly JsonEdit[] {
    const { hints, schemasFor } = this.#settings;
    const areEdited = hints || schemasFor !== undefined || conversation !== undefined;
    return [...this.#tools.values()].flatMap((tool) => {
      const sentences = this.#sentencesFor(tool);
      if (!areEdited && sentences.length === 0) return [];
      const contract = this.#cache.contractOf(tool);
      if (contract !== undefined) {
        const misses = conversation?.missesOf(contract) ?? [];
        return editsOfTool(tool, contract, { ...this.#settings, sentences, misses });
      }
      return tool.description === '' || sentences.length === 0
        ? []
        : [descriptionEdit(tool, [tool.description, ...sentences])];
    });
  }

  #sentencesFor({ name, description }: RequestTool): readonly string[] {
    return Object.entries(this.#settings.toolHints)
      .flatMap(([pattern, sentences]) => (isMatch(pattern, name) ? sentences : []))
      .filter((sentence) => !description.includes(sentence));
  }

  /** The contract of the tool that a call means; undefined if its calls are not checked. */
  contractFor(name: string): ToolContract | undefined {
    const tool = this.toolOf(name);
    return tool && this.#cache.contractOf(tool);
  }

  /**
   * Edits that make tools strict: those whose schema the provider of `schemasFor` has in strict mode,
   * else all that have a schema.
   */
  strictEdits(): readonly JsonEdit[] {
    const { strict, schemasFor } = this.#settings;
    if (!strict) return [];
    const rules = schemasFor === undefined ? undefined : providers[schemasFor].rules;
    return [...this.#tools.values()].flatMap((tool) => {
      const contract = tool.takesStrict ? this.#cache.contractOf(tool) : undefined;
      const changes = contract && rules ? transformTool(contract, rules).changes : [];
      const isStrict = contract !== undefined && changes.every(({ kind }) => kind !== 'not-strict');
      return isStrict ? [{ path: [...tool.path, 'strict'], text: 'true' }] : [];
    });
  }

  /**
   * A server refuses the whole conversation if an earlier call's arguments are not an object in the
   * API's form. Such a call gets its repaired arguments, else the object that its text reads as,
   * else an object that describes what was sent. `request`: its text.
   */
  historyEdits(calls: readonly PastCall[], request: string): readonly JsonEdit[] {
    const slices = new JsonSlices(request);
    return calls.flatMap((call) => {
      const { name, arguments: pastArguments, isText } = call;
      const isString = typeof pastArguments === 'string';
      const isObject = isString
        ? isJsonObject(plainJson(pastArguments))
        : typeof pastArguments === 'object' &&
          pastArguments !== null &&
          !Array.isArray(pastArguments);
      if (isObject && isString === isText) return [];
      // Taken from the request's text, because parsed numbers may have lost digits.
      if (isObject)
        return [
          call.edit(
            isString ? pastArguments : (slices.at(call.edit('').path) ?? textOf(pastArguments)),
          ),
        ];
      if (
        pastArguments === undefined ||
        pastArguments === null ||
        textOf(pastArguments).trim() === ''
      )
        return [call.edit('{}')];
      const past = { id: 'past', name, arguments: pastArguments, finishReason: 'tool_calls' };
      const verdict = this.check(past, false);
      if (verdict.kind === 'repaired') return [call.edit(verdict.arguments)];
      return [call.edit(looseObject(textOf(pastArguments)) ?? refusedInHistory(past).arguments)];
    });
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** JSON of a whole object that is written as models write it; undefined for anything else. */
function looseObject(text: string): string | undefined {
  const read = readJsonPrefix(text.trim(), 0, 'loose', maxTextDepth);
  const isWhole =
    read.kind === 'read' && read.end === text.trim().length && read.repeatedKeys.length === 0;
  return isWhole && isJsonObject(read.value) ? exactJson(read.value, read.numbers) : undefined;
}

interface DescriptionSettings extends ToolSettings {
  readonly sentences: readonly string[];
  /** What the model often gets wrong. */
  readonly misses: readonly HintedMiss[];
}

const descriptionEdit = ({ path }: RequestTool, lines: readonly string[]): JsonEdit => ({
  path: [...path, 'description'],
  text: JSON.stringify(lines.filter((line) => line !== '').join('\n')),
});

/** With all hints, with the learned ones alone, or as it came. */
function describedBy(
  contract: ToolContract,
  hints: boolean,
  misses: readonly HintedMiss[],
  description: string,
): string {
  if (hints) return toolDescription(contract, {}, undefined, misses).text;
  const learnedSentences = misses.map(({ sentence }) => sentence).join(' ');
  return [description, ...contract.hints, learnedSentences]
    .filter((line) => line !== '')
    .join('\n');
}

function editsOfTool(
  tool: RequestTool,
  contract: ToolContract,
  { hints, schemasFor, strict, sentences, misses }: DescriptionSettings,
): readonly JsonEdit[] {
  const { path, schemaKey, description } = tool;
  const newDescription = describedBy({ ...contract, hints: sentences }, hints, misses, description);
  const transformedTool =
    schemasFor === undefined ? undefined : transformTool(contract, providers[schemasFor].rules);
  const words = (transformedTool?.words ?? []).filter(
    (sentence) => !newDescription.includes(sentence),
  );
  const lines = [newDescription, ...words];
  return [
    ...(lines.join('\n') === description ? [] : [descriptionEdit(tool, lines)]),
    ...(transformedTool === undefined
      ? []
      : [{ path: [...path, schemaKey], text: JSON.stringify(transformedTool.schema) }]),
    ...(transformedTool?.strict === true && !strict
      ? [{ path: [...path, 'strict'], text: 'true' }]
      : []),
  ];
}

const isSameJson = (text: string, value: unknown): boolean =>
  typeof value === 'string' ? text === value : text === JSON.stringify(value);
