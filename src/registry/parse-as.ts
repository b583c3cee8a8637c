import type { ClassOptions } from '../classes/class-model.ts';
import { answerOfClass } from '../classes/from-class.ts';
import { type OptionKinds, checkOptions, string } from '../errors/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { applyDefaults } from '../execute/execute-tool.ts';
import { interpretChecked } from '../interpret/interpret.ts';
import type { Interpretation, Note, Rejected } from '../interpret/interpretation.ts';
import { reject, rejectChecks } from '../interpret/reject.ts';
import { parseJson } from '../json/parse.ts';
import { type JsonObject, type JsonType, type JsonValue, isJsonObject, objectOf } from '../json/value.ts';
import type { ProviderMapping } from '../messages/correction.ts';
import type { Issue } from '../messages/issue.ts';
import { answerMessage } from '../messages/rejection-message.ts';
import { maxTextDepth } from '../repair/decode-arguments.ts';
import type { Operation, RepairRecord } from '../repair/repair-rule.ts';
import { type SchemaObject, isSchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { type OutputOf, type StandardSchema, type Validated, inputSchemaOf } from '../schema/input-schema.ts';
import { SchemaViews } from '../schema/schema-view.ts';
import { type ProviderName, providerKind } from '../providers/providers.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import { schemaValidation } from '../tool/schema-validation.ts';
import type { Constructor, RepairLevel, ToolContract } from '../tool/tool-contract.ts';
import { toolKinds } from '../tool/tool-options.ts';
import { useAjv } from '../validate/ajv-validator.ts';
import { validatorOf, viewsOf } from '../validate/validator.ts';
import { requireSound } from './contract-of.ts';
import { schemaIn } from './standard-schema.ts';

/** The options of `parseAs`. */
export interface ParseOptions {
  /** The reason that the provider gave for the end of the answer: `stop`, `length`. Default: unknown. */
  readonly finishReason?: string | null;
  /** `lossless`: an answer that needs any other repair is rejected. Default: `all`. */
  readonly repair?: RepairLevel;
  /** The provider whose form of the schema the model has, as given to `answerSchema`. Default: the schema's own form. */
  readonly provider?: ProviderName;
  /** As of a tool: class-validator's groups. */
  readonly groups?: readonly string[];
  /** As of a tool: whether `@Transform` makes the values of the instance. Default: false. */
  readonly transform?: boolean;
}

/** What `parseAs` made of an answer. `status`: `unchanged`, `repaired` or `rejected`. */
export type Parsed<Value> = ParsedAnswer<Value> | RejectedAnswer;

/** An answer that matches its type, as sent or after repair. */
export interface ParsedAnswer<Value> {
  /** `unchanged`: valid as sent. `repaired`: `repairs` lists every change. */
  readonly status: 'unchanged' | 'repaired';
  readonly value: Value;
  readonly repairs: readonly RepairRecord[];
  readonly notes: readonly Note[];
  readonly issues: readonly [];
}

/** An answer that matches its type neither as sent nor after repair. */
export interface RejectedAnswer {
  readonly status: 'rejected';
  readonly repairs: readonly [];
  readonly notes: readonly [];
  /** Everything that is wrong with the answer. */
  readonly issues: readonly Issue[];
  /** The message for the model, to be sent as the next user message. */
  readonly message: string;
  /** The errors that the author's own checks threw. For the application only. */
  readonly causes?: readonly unknown[];
}

const optionKinds: OptionKinds<ParseOptions> = {
  finishReason: { accepts: (reason) => reason === null || string.accepts(reason), instead: string.instead },
  repair: toolKinds.repair,
  provider: providerKind,
  groups: toolKinds.groups,
  transform: toolKinds.transform,
};

/**
 * The JSON Schema for the model's answer, for a provider's option such as `response_format`, or for the prompt. `provider`: in that
 * provider's form, such as `openai-strict`. Throws a DefinitionError for a class or schema that can't be used, and for a provider
 * whose form needs an object if the answer is none.
 */
export function answerSchema(type: object, provider: ProviderName = 'neutral'): SchemaObject {
  const { root, contract } = readerOf(type);
  if (root.kind === 'object') return schemaIn(contract, provider);
  if (provider === 'neutral') return root.mapping.schema;
  const what = `was given a schema that is not that of an object for ${provider}`;
  throw new DefinitionError([
    { where: 'answerSchema', what, instead: 'put it into a property of an object' },
  ]);
}

/**
 * Reads a model's answer that is not a tool call, by a class with decorated fields, a JSON Schema of any value, or a Standard
 * Schema, with the repairs of tool calls. A class gives an instance, a Standard Schema its output. `text`: null is an empty answer.
 * Throws a DefinitionError for a class or schema that can't be used, and for a text that is not a string.
 */
export function parseAs<Schema extends StandardSchema>(
  schema: Schema,
  text: string | null | undefined,
  options?: ParseOptions,
): Parsed<OutputOf<Schema>>;
export function parseAs<Value extends object>(
  type: Constructor<Value>,
  text: string | null | undefined,
  options?: ParseOptions,
): Parsed<Value>;
export function parseAs<Value = JsonValue>(
  schema: object,
  text: string | null | undefined,
  options?: ParseOptions,
): Parsed<Value>;
export function parseAs(
  type: object,
  text: string | null | undefined,
  options: ParseOptions = {},
): Parsed<unknown> {
  checkOptions('parseAs', options, optionKinds);
  requireText(text);
  const reader = readerOf(type, options);
  const contract = options.repair === 'lossless' ? reader.lossless : reader.contract;
  const interpretation = interpretText(contract, reader.root, text ?? '', options);
  if (interpretation.status === 'rejected') return rejectedAnswer(contract, reader.root, interpretation);
  const { status, repairs, notes, issues } = interpretation;
  const validated = reader.make(interpretation.value);
  if (validated.kind === 'invalid')
    return rejectedAnswer(contract, reader.root, rejectChecks(validatorOf(contract), {}, validated.failures));
  const { value } = validated;
  if (reader.root.kind === 'object') return { status, value, repairs, notes, issues };
  return {
    status,
    value,
    repairs: repairs.map(unwrappedRecord),
    notes: notes.map((note) => ({ ...note, path: unwrappedPath(note.path) })),
    issues,
  };
}

function requireText(text: unknown): void {
  if (typeof text === 'string' || text === null || text === undefined) return;
  const what = `was given ${Array.isArray(text) ? 'an array' : `a value of type ${typeof text}`} for the answer`;
  const instead = 'pass the text as the model wrote it, or JSON.stringify(value)';
  throw new DefinitionError([{ where: 'parseAs', what, instead }]);
}

function interpretText(
  contract: ToolContract,
  root: AnswerRoot,
  text: string,
  { finishReason, provider }: ParseOptions,
): Interpretation {
  // Not the arguments of a call without any.
  if (text.trim() === '') return reject(validatorOf(contract), {}, [{ keyword: 'not_sent', path: '' }]);
  const sent = root.kind === 'object' ? text : wrapText(text, root);
  const end = typeof finishReason === 'string' ? { finishReason } : {};
  return interpretChecked(contract, { arguments: sent, ...end }, { provider });
}

function rejectedAnswer(
  contract: ToolContract,
  { mapping }: AnswerRoot,
  { issues, meta, wouldBe, causes }: Rejected,
): RejectedAnswer {
  const found = issues.map((issue) => answerIssue(issue, mapping !== undefined));
  const rejection = { issues: found, meta, ...(wouldBe === undefined ? {} : { wouldBe }) };
  const rejected = {
    status: 'rejected',
    repairs: [],
    notes: [],
    issues:
      mapping === undefined ? found : found.map((issue) => ({ ...issue, path: unwrappedPath(issue.path) })),
    message: answerMessage(validatorOf(contract), rejection, mapping),
  } as const;
  if (causes === undefined) return rejected;
  return Object.defineProperty(rejected, 'causes', { value: causes, enumerable: false });
}

/** Advice about a position in the text is left out if the text was wrapped. */
function answerIssue({ advice, key, ...issue }: Issue, isWrapped: boolean): Issue {
  const found = key === undefined || (isWrapped && key === wrapper) ? issue : { ...issue, key };
  if (advice === undefined || (isWrapped && issue.keyword === 'not_json')) return found;
  return { ...found, advice: issue.keyword === 'truncated' ? 'send it whole' : advice };
}

/** Reads the answers of one type. */
interface AnswerReader {
  readonly contract: ToolContract;
  /** The same contract for `repair: 'lossless'`. */
  readonly lossless: ToolContract;
  readonly root: AnswerRoot;
  readonly make: (values: JsonObject) => Validated;
}

/** `wrapped`: the answer may be anything but an object, and is interpreted as the only member of one. */
type AnswerRoot =
  | { readonly kind: 'object'; readonly mapping?: undefined }
  | ({ readonly kind: 'wrapped'; readonly mapping: ProviderMapping } & AnswerTypes);

interface AnswerTypes {
  readonly types: ReadonlySet<JsonType>;
  /** Any text may be the answer. */
  readonly isText: boolean;
}

/** By type, then by the options that a class is read with. */
const readers = new WeakMap<object, Map<string, AnswerReader>>();

function readerOf(type: object, { groups = [], transform = false }: ClassOptions = {}): AnswerReader {
  const known = readers.get(type) ?? new Map<string, AnswerReader>();
  const key = JSON.stringify([transform, ...groups]);
  const reader =
    known.get(key) ?? (isClass(type) ? readerOfClass(type, { groups, transform }) : readerOfSchema(type));
  readers.set(type, known.set(key, reader));
  return reader;
}

/** Schemas of arktype are functions. */
const isClass = (type: object): type is Constructor => typeof type === 'function' && !('~standard' in type);

function readerOfClass(Class: Constructor, options: ClassOptions): AnswerReader {
  const { problems, makeInstance, ...answer } = answerOfClass(Class, options);
  requireSound([answer], problems);
  const make = (values: JsonObject): Validated => valid(makeInstance(values));
  return { ...contracts(answer.contract), root: { kind: 'object' }, make };
}

function readerOfSchema(schema: object): AnswerReader {
  const given = inputSchemaOf(schema);
  if (given.kind === 'none') throw unusableSchema(given.mistake.what, given.mistake.instead);
  if (!isSchemaObject(given.schema)) throw unusableSchema('is not a schema', "write { type: 'array', … }");
  const answer = typesOf(given.schema);
  const isObject = answer.types.size === 1 && answer.types.has('object');
  const root: AnswerRoot = isObject
    ? { kind: 'object' }
    : { kind: 'wrapped', ...answer, mapping: unwrapping(given.schema) };
  const inputSchema = isObject ? given.schema : wrappedSchema(given.schema);
  useAjv();
  const contract = contractFromSchema({ inputSchema });
  const unwrap = (values: JsonObject): unknown => (isObject ? values : values[wrapper]);
  if (given.kind === 'json_schema')
    return {
      ...contracts(contract),
      root,
      make: (values) => valid(unwrap(applyDefaults(viewsOf(contract), values))),
    };
  const validation = schemaValidation(
    isObject ? given.validate : (values) => wrappedFailures(given.validate(unwrap(Object(values)))),
  );
  const make = (values: JsonObject): Validated => {
    const validated = validation.take(values);
    if (!(validated instanceof Promise)) return validated;
    const instead = 'pass its JSON Schema, and validate the value afterwards';
    throw unusableSchema('validates asynchronously', instead);
  };
  return { ...contracts(Object.freeze({ ...contract, check: validation.check })), root, make };
}

const valid = (value: unknown): Validated => ({ kind: 'valid', value });

/** Errors of `parseAs` and of `answerSchema`. */
const unusableSchema = (what: string, instead: string): DefinitionError =>
  new DefinitionError([{ where: 'parseAs', what: `was given a schema that ${what}`, instead }]);

const contracts = (contract: ToolContract): Pick<AnswerReader, 'contract' | 'lossless'> => ({
  contract,
  lossless: Object.freeze({ ...contract, repair: 'lossless' }),
});

/** The types that an answer may have. A schema with properties and no type is that of an object. */
function typesOf(schema: SchemaObject): AnswerTypes {
  const views = new SchemaViews(schema);
  const view = views.of(schema);
  const all = view.branches.length === 0 ? [view] : view.branches.map((branch) => views.of(branch));
  const types = all.flatMap(({ types: own, properties }) =>
    own.size === 7 && properties.size > 0 ? ['object' as const] : [...own],
  );
  const isText = all.some(({ types: own, members }) => own.has('string') && members === undefined);
  return { types: new Set(types), isText };
}

// Answers that aren't objects.

/** The key of the answer. Not a word, because words around an answer must not name a key. */
const wrapper = '~answer';
const wrapperPath = '/~0answer';

/** `{ "~answer": <schema> }`. References to the root lead to the answer. */
function wrappedSchema(schema: SchemaObject): SchemaObject {
  const { $schema, $defs, definitions, ...answer } = schema;
  const moved = (part: SchemaObject): SchemaObject => {
    const { $ref } = part;
    const isToRoot =
      $ref === '#' || ($ref?.startsWith('#/') === true && !/^#\/(?:\$defs|definitions)\//.test($ref));
    const copy = mapSubschemas(part, moved);
    return isToRoot ? { ...copy, $ref: `#/properties/~0answer${$ref.slice(1)}` } : copy;
  };
  const root = { type: 'object', properties: { [wrapper]: answer }, required: [wrapper] } as const;
  const shared = { $schema, $defs, definitions };
  const present = Object.entries(shared).filter(([, value]) => value !== undefined);
  return { ...moved({ ...Object.fromEntries(present), ...root }), additionalProperties: false };
}

const unwrappedPath = (path: string): string =>
  path === wrapperPath || path.startsWith(`${wrapperPath}/`) ? path.slice(wrapperPath.length) : path;

function wrappedFailures(validated: Validated | Promise<Validated>): Validated | Promise<Validated> {
  if (validated instanceof Promise || validated.kind === 'valid') return validated;
  return {
    ...validated,
    failures: validated.failures.map((failure) => ({ ...failure, path: wrapperPath + failure.path })),
  };
}

const unwrapping = (schema: SchemaObject): ProviderMapping => ({
  schema,
  locate: (path) => ({ path: unwrappedPath(path), names: new Map() }),
  toProvider: (value, _numbers, path) => (path === '' ? unwrappedValue(value) : value),
});

const unwrappedValue = (value: JsonValue): JsonValue =>
  isJsonObject(value) && value[wrapper] !== undefined ? value[wrapper] : value;

function unwrappedRecord(record: RepairRecord): RepairRecord {
  const operations = record.operations.map((operation): Operation => {
    const at = { ...operation, path: unwrappedPath(operation.path) };
    if ('from' in at) return { ...at, from: unwrappedPath(at.from) };
    return 'value' in at && operation.path === '' ? { ...at, value: unwrappedValue(at.value) } : at;
  });
  return { ...record, path: unwrappedPath(record.path), operations };
}

/**
 * The answer in the text as the member of an object, so that the rules for the text of arguments read it: JSON as it is; text that
 * may be the answer as a string; else the array or object in it. Prose in place of an array is not wrapped, and so not read.
 */
function wrapText(text: string, { types, isText }: AnswerTypes): string {
  if (parseJson(text, maxTextDepth).kind === 'read') return `{${JSON.stringify(wrapper)}:${text}}`;
  const isContainer = types.has('array') || types.has('object');
  if (isText && !(isContainer && /^\s*[[{]/.test(text))) return memberText(text);
  const [start, end] = isContainer ? containerIn(text) : scalarIn(text);
  if (start === end) return text;
  const inside = text.slice(start, end);
  const member = isContainer
    ? `{${JSON.stringify(wrapper)}:${inside}${/[\]}]$/.test(inside) ? '}' : ''}`
    : memberText(inside);
  return `${text.slice(0, start)}${member}${text.slice(end)}`;
}

const memberText = (text: string): string => JSON.stringify(objectOf([[wrapper, text]]));

type Range = readonly [start: number, end: number];

/** From the first bracket or brace to the last closing one; to the end if none is closed. */
function containerIn(text: string): Range {
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1;
  return start === -1 ? [0, 0] : [start, end > start ? end : text.length];
}

/** Without the fence and the blanks around it. */
function scalarIn(text: string): Range {
  const opening = /^\s*(`{3,}|~{3,})[ \t]*[\w-]*[ \t]*\r?\n/.exec(text);
  const [before = '', fence = ''] = opening ?? [];
  const closing = fence === '' ? -1 : text.trimEnd().lastIndexOf(fence);
  const isFenced = closing > before.length && text.slice(closing).trim() === fence;
  const [from, to] = isFenced ? [before.length, closing] : [0, text.length];
  const inside = text.slice(from, to);
  return [from + inside.length - inside.trimStart().length, from + inside.trimEnd().length];
}
