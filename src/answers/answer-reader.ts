// Reads the answers of one type: a class, a field type, a JSON Schema or a Standard Schema.
import type { ClassOptions } from '../classes/class-model.ts';
import { isClass, isDeclaredType, scalarTypes } from '../classes/declarations.ts';
import { answerOfClass } from '../classes/from-class.ts';
import { Field } from '../decorators/field-decorators.ts';
import type { FieldType } from '../decorators/types.ts';
import { type DefinitionError, definitionError } from '../errors/definition-error.ts';
import { parseJson } from '../json/parse.ts';
import { defined, objectOf, isObjectLike } from '../collections/objects.ts';
import {
  type JsonObject,
  type JsonType,
  type JsonValue,
  isJsonObject,
  jsonTypeOf,
  maxTextDepth,
  isAnyType,
} from '../json/value.ts';
import type { ProviderMapping } from '../messages/correction.ts';
import { type ProviderLocation, providerIssue } from '../providers/restore-arguments.ts';
import { reasoningNames } from '../notations/asides.ts';
import type { Operation, RepairRecord } from '../repair/repair-rule.ts';
import { type Validated, inputSchemaOf } from '../schema/input-schema.ts';
import { type SchemaObject, isSchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { viewsIn } from '../schema/schema-view.ts';
import type { ToJsonSchema } from '../schema/schema-libraries.ts';
import { type WarningListener, emitWarnings } from '../telemetry/tool-event.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import { schemaValidation } from '../tool/schema-validation.ts';
import type {
  Constructor,
  CreateValidator,
  OnUnusableSchema,
  ToolContract,
} from '../tool/tool-contract.ts';
import { validatorOf, viewsOf } from '../validate/validator.ts';
import { requireSound } from '../registry/register.ts';
import { applyDefaults } from '../run/apply-defaults.ts';

/** Reads the answers of one type. */
export interface AnswerReader {
  readonly contract: ToolContract;
  /** The same contract for `repair: 'lossless'`. */
  readonly lossless: ToolContract;
  readonly root: AnswerRoot;
  readonly make: (values: JsonObject) => Validated;
}

/**
 * `wrapped`: the answer needn't be an object. It is interpreted as the only member of an object.
 */
export type AnswerRoot =
  | { readonly kind: 'object'; readonly mapping?: undefined }
  | ({ readonly kind: 'wrapped'; readonly mapping: ProviderMapping } & AnswerTypes);

interface AnswerTypes {
  readonly types: ReadonlySet<JsonType>;
  /** Any text may be the answer. */
  readonly isText: boolean;
}

/** How a type is read: the first two members are for classes, the others for schemas. */
export interface ReaderOptions extends ClassOptions {
  readonly onUnusableSchema?: OnUnusableSchema | undefined;
  readonly toJsonSchema?: ToJsonSchema | undefined;
  readonly validator?: CreateValidator | undefined;
  readonly warn?: WarningListener | undefined;
}

/** By type, then by the options that it is read with. */
const readers = new WeakMap<object, Map<string, AnswerReader>>();

export function readerOf(type: object, options: ReaderOptions = {}): AnswerReader {
  const { groups = [], transform = false, onUnusableSchema = 'refuse' } = options;
  const { validator, toJsonSchema, warn } = options;
  const cachedReaders = readers.get(type) ?? new Map<string, AnswerReader>();
  const key = JSON.stringify([onUnusableSchema, transform, ...groups]);
  const cachedReader = cachedReaders.get(key);
  const isCached =
    cachedReader !== undefined &&
    (isDeclared(type) || cachedReader.contract.validator === validator);
  if (isCached) return cachedReader;
  const libraryOptions = defined({ toJsonSchema, validator });
  const reader = makeReader(type, { ...libraryOptions, groups, transform, onUnusableSchema });
  readers.set(type, cachedReaders.set(key, reader));
  if (warn !== undefined) emitWarnings(validatorOf(reader.contract).warnings, [warn]);
  return reader;
}

/** Classes and field types have a validator of their own. */
const isDeclared = (type: object): boolean => isFieldType(type) || isArgumentClass(type);

function makeReader(type: object, options: ReaderOptions): AnswerReader {
  if (isFieldType(type)) return readerOfType(type, options);
  return isArgumentClass(type) ? readerOfClass(type, options) : readerOfSchema(type, options);
}

const isFieldType = (type: object): type is FieldType =>
  isDeclaredType(type) || scalarTypes.has(type);

/** Schemas of arktype are functions. */
const isArgumentClass = (type: object): type is Constructor =>
  isClass(type) && !('~standard' in type);

function readerOfClass(Class: Constructor, { groups, transform }: ClassOptions): AnswerReader {
  const options = defined({ groups, transform });
  const { problems, makeInstance, ...answer } = answerOfClass(Class, options);
  requireSound([answer], problems);
  const make = (values: JsonObject): Validated => validValue(makeInstance(values));
  return { ...contracts(answer.contract), root: { kind: 'object' }, make };
}

/** A type is read as the only field of a class. */
function readerOfType(type: FieldType, options: ClassOptions): AnswerReader {
  class Answer {
    readonly [wrapper]: unknown;
  }
  const field: PropertyDecorator = Field({ type });
  field(Answer.prototype, wrapper);
  const { contract, lossless, make } = readerOfClass(Answer, options);
  const { properties: { [wrapper]: schema = {} } = {}, $defs } = contract.inputSchema;
  const valueSchema = {
    ...(typeof schema === 'boolean' ? {} : schema),
    ...($defs === undefined ? {} : { $defs }),
  };
  return {
    contract,
    lossless,
    root: { kind: 'wrapped', ...typesOf(valueSchema), mapping: unwrapping(valueSchema) },
    make(values) {
      const result = make(values);
      return result.kind === 'valid'
        ? validValue(Reflect.get(Object(result.value), wrapper))
        : result;
    },
  };
}

function readerOfSchema(
  schema: object,
  { onUnusableSchema, toJsonSchema, validator }: ReaderOptions,
): AnswerReader {
  if (!isObjectLike(schema)) {
    const what = `was given a value of type ${typeof schema} for the schema`;
    throw definitionError('parseAs', what, "pass a class, or { type: 'array', … }");
  }
  const input = inputSchemaOf(schema, toJsonSchema);
  if (input.kind === 'none') throw unusableSchema(input.mistake.what, input.mistake.instead);
  if (!isSchemaObject(input.schema))
    throw unusableSchema('is not a schema', "write { type: 'array', … }");
  const answer = typesOf(input.schema);
  const isObject = answer.types.size === 1 && answer.types.has('object');
  const root: AnswerRoot = isObject
    ? { kind: 'object' }
    : { kind: 'wrapped', ...answer, mapping: unwrapping(input.schema) };
  const inputSchema = isObject ? input.schema : wrappedSchema(input.schema);
  const contract = contractFromSchema({
    inputSchema,
    ...defined({ onUnusableSchema, validator }),
  });
  const unwrap = (values: JsonObject): unknown => (isObject ? values : values[wrapper]);
  if (input.kind === 'json_schema')
    return {
      ...contracts(contract),
      root,
      make: (values) => validValue(unwrap(applyDefaults(viewsOf(contract), values))),
    };
  const validation = schemaValidation(
    isObject ? input.validate : (values) => wrappedResult(input.validate(unwrap(Object(values)))),
    input.derivedBy,
  );
  const make = (values: JsonObject): Validated => {
    const result = validation.take(values);
    if (result instanceof Promise) {
      const instead = 'pass its JSON Schema, and validate the value afterwards';
      throw unusableSchema('validates asynchronously', instead);
    }
    if (isObject || result.kind === 'invalid') return result;
    return validValue(Reflect.get(Object(result.value), wrapper));
  };
  return {
    ...contracts(Object.freeze({ ...contract, validation, check: validation.check })),
    root,
    make,
  };
}

const validValue = (value: unknown): Validated => ({ kind: 'valid', value });

/** Errors of `parseAs` and of `answerSchema`. */
const unusableSchema = (what: string, instead: string): DefinitionError =>
  definitionError('parseAs', `was given a schema that ${what}`, instead);

const contracts = (contract: ToolContract): Pick<AnswerReader, 'contract' | 'lossless'> => ({
  contract,
  lossless: Object.freeze({ ...contract, repair: 'lossless' }),
});

/** The types that an answer may have. A schema with properties and no type is that of an object. */
function typesOf(schema: SchemaObject): AnswerTypes {
  const views = viewsIn(schema);
  const view = views.of(schema);
  const all = view.branches.length === 0 ? [view] : view.branches.map((branch) => views.of(branch));
  const types = all.flatMap(({ types: viewTypes, properties }) =>
    isAnyType(viewTypes) && properties.size > 0 ? ['object' as const] : [...viewTypes],
  );
  const isText = all.some(
    ({ types: viewTypes, members }) => viewTypes.has('string') && members === undefined,
  );
  return { types: new Set(types), isText };
}

// Answers that aren't objects.

/** The key of the answer. Not a word, because words around an answer must not name a key. */
export const wrapper = '~answer';
export const wrapperPath = '/~0answer';

/** `{ "~answer": <schema> }`. References to the root lead to the answer. */
function wrappedSchema(schema: SchemaObject): SchemaObject {
  const { $schema, $defs, definitions, ...answer } = schema;
  const withMovedReferences = (part: SchemaObject): SchemaObject => {
    const { $ref } = part;
    const isToRoot =
      $ref === '#' ||
      ($ref?.startsWith('#/') === true && !/^#\/(?:\$defs|definitions)\//.test($ref));
    const copy = mapSubschemas(part, withMovedReferences);
    return isToRoot ? { ...copy, $ref: `#/properties/~0answer${$ref.slice(1)}` } : copy;
  };
  const root = { type: 'object', properties: { [wrapper]: answer }, required: [wrapper] } as const;
  const sharedKeywords = { $schema, $defs, definitions };
  const present = Object.entries(sharedKeywords).filter(([, value]) => value !== undefined);
  return {
    ...withMovedReferences({ ...Object.fromEntries(present), ...root }),
    additionalProperties: false,
  };
}

/** The answer's part of such a schema in a provider's form; undefined if it refers to itself. */
export function unwrappedSchema({
  properties = {},
  $defs,
}: SchemaObject): SchemaObject | undefined {
  const { [wrapper]: answer } = properties;
  if (!isSchemaObject(answer)) return undefined;
  const schema = $defs === undefined ? answer : { ...answer, $defs };
  return JSON.stringify(schema).includes(`"#/properties${wrapperPath}`) ? undefined : schema;
}

export const unwrappedPath = (path: string): string =>
  path === wrapperPath || path.startsWith(`${wrapperPath}/`)
    ? path.slice(wrapperPath.length)
    : path;

function wrappedResult(result: Validated | Promise<Validated>): Validated | Promise<Validated> {
  if (result instanceof Promise) return result;
  if (result.kind === 'valid') return validValue({ [wrapper]: result.value });
  return {
    ...result,
    failures: result.failures.map((failure) => ({
      ...failure,
      path: wrapperPath + failure.path,
    })),
  };
}

const unwrapping = (schema: SchemaObject): ProviderMapping => ({
  schema,
  locate: unwrappedLocation,
  issueFor: (issue) => providerIssue(issue, unwrappedLocation),
  toProvider: (value, _numbers, path) => (path === '' ? unwrappedValue(value) : value),
});

const unwrappedLocation = (path: string): ProviderLocation => ({
  path: unwrappedPath(path),
  names: new Map(),
});

const unwrappedValue = (value: JsonValue): JsonValue =>
  isJsonObject(value) && value[wrapper] !== undefined ? value[wrapper] : value;

export function unwrappedRecord(record: RepairRecord): RepairRecord {
  const operations = record.operations.map((operation): Operation => {
    const at = { ...operation, path: unwrappedPath(operation.path) };
    if ('from' in at) return { ...at, from: unwrappedPath(at.from) };
    return 'value' in at && operation.path === '' ? { ...at, value: unwrappedValue(at.value) } : at;
  });
  return { ...record, path: unwrappedPath(record.path), operations };
}

/**
 * The answer in the text as the member of an object, so that the rules for the text of arguments
 * read it: JSON of a declared type as it is; text that may be the answer as a string; else the
 * array or object in it, after closed reasoning. Prose in place of an array is not wrapped, and so
 * not read.
 */
export function wrapText(text: string, { types, isText }: AnswerTypes): string {
  const reading = parseJson(text, maxTextDepth);
  if (reading.kind === 'read' && (!isText || types.has(jsonTypeOf(reading.value))))
    return `{${JSON.stringify(wrapper)}:${text}}`;
  const isContainer = types.has('array') || types.has('object');
  if (isText && !(isContainer && /^\s*[[{]/.test(text))) return memberText(text);
  const reasoningLength = closedReasoning.exec(text)?.[0].length ?? 0;
  const [from, to] = isContainer
    ? containerIn(text.slice(reasoningLength))
    : scalarIn(text.slice(reasoningLength));
  if (from === to) return text;
  const [start, end] = [reasoningLength + from, reasoningLength + to];
  const answerText = text.slice(start, end);
  const member = isContainer
    ? `{${JSON.stringify(wrapper)}:${answerText}${/[\]}]$/.test(answerText) ? '}' : ''}`
    : memberText(answerText);
  return `${text.slice(0, start)}${member}${text.slice(end)}`;
}

const closedReasoning = new RegExp(`^\\s*<(${reasoningNames})>[^]*</\\1>`, 'i');

/**
 * Whether an answer that was cut off would show it: by its brackets or quotes. A number, and any
 * other text, may lack its end.
 */
export const showsItsEnd = (text: string, { isText }: AnswerTypes): boolean =>
  /[\]}"]\s*(?:`{3,}\s*)?$/.test(text) &&
  (!isText || parseJson(text, maxTextDepth).kind === 'read');

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
  const [opener = '', fence = ''] = opening ?? [];
  const closingAt = fence === '' ? -1 : text.trimEnd().lastIndexOf(fence);
  const isFenced = closingAt > opener.length && text.slice(closingAt).trim() === fence;
  const [from, to] = isFenced ? [opener.length, closingAt] : [0, text.length];
  const content = text.slice(from, to);
  return [from + content.length - content.trimStart().length, from + content.trimEnd().length];
}
