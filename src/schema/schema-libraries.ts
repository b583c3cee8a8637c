import { objectOf, memberOf, isObjectLike } from '../collections/objects.ts';
import { type JsonType } from '../json/value.ts';
import { loadInstalled } from '../platform/installed-package.ts';
import {
  type SchemaObject,
  type ToolmendAnnotation,
  filterKeywords,
  isSchemaObject,
  mapSubschemas,
  subschemasOf,
} from './json-schema.ts';
import { textMember } from './not-a-schema.ts';

/** Writes a library's schema as JSON Schema, as `toJsonSchema` of '@valibot/to-json-schema'. */
export type ToJsonSchema = (schema: never) => object;

/** A schema that can't be written as JSON Schema. `message`: why, as a clause. */
export class NoJsonSchema extends Error {
  readonly instead: string;

  constructor(message: string, instead: string) {
    super(message);
    this.instead = instead;
  }
}

const target = 'draft-2020-12';

/**
 * The JSON Schema of what a library's schema takes: written by the schema itself, else by its
 * library's converter, if that is installed. Throws what the library throws, and `NoJsonSchema` if
 * there is no converter.
 */
export function writeJsonSchema(schema: object, vendor: string): unknown {
  const standard = memberOf(schema, '~standard');
  const zod = new ZodCorrection();
  const zodOptions = { unrepresentable: 'any', override: zod.override };
  const libraryOptions = vendor === 'zod' ? { libraryOptions: zodOptions } : {};
  const jsonSchema =
    callMember(memberOf(standard, 'jsonSchema'), 'input', { target, ...libraryOptions }) ??
    callMember(schema, 'toJSONSchema', { io: 'input', ...zodOptions }) ??
    callMember(memberOf(schema, 'in') ?? schema, 'toJsonSchema', {}) ??
    convertWith(converterOf(schema, vendor, zod), schema, vendor);
  zod.check();
  return isSchemaObject(jsonSchema) ? closeStripping(withNamedKeys(jsonSchema, false)) : jsonSchema;
}

/**
 * Maps whose keys are listed become objects that declare them, so that repair, messages and
 * providers know them. `isReplaced`: the library replaces a value around this one.
 */
function withNamedKeys(schema: SchemaObject, isReplaced: boolean): SchemaObject {
  const isMarked = isReplaced || schema['x-toolmend']?.replaces === true;
  const { propertyNames, ...keywords } = mapSubschemas(schema, (subschema) =>
    withNamedKeys(subschema, isMarked),
  );
  const others = isReplaced ? withMarks(keywords, replaces) : keywords;
  const { additionalProperties: member } = others;
  const names = namesIn(propertyNames);
  const isMap = others.properties === undefined && others.patternProperties === undefined;
  if (names === undefined || !isMap || !isSchemaObject(member))
    return propertyNames === undefined ? others : { ...others, propertyNames };
  return {
    ...others,
    properties: objectOf(names.map((name) => [name, member])),
    additionalProperties: false,
  };
}

const maxNames = 100;

/** Undefined if other names are possible. */
function namesIn(schema: unknown): readonly string[] | undefined {
  if (!isSchemaObject(schema)) return undefined;
  const constants = schema.anyOf?.map((branch) =>
    isSchemaObject(branch) ? branch.const : undefined,
  );
  const names: readonly unknown[] = schema.enum ?? constants ?? [schema.const];
  const texts = names.filter((name) => typeof name === 'string');
  return texts.length === names.length && texts.length <= maxNames ? texts : undefined;
}

const withMarks = <Schema extends object>(schema: Schema, marks: ToolmendAnnotation): Schema => ({
  ...schema,
  'x-toolmend': { ...Object(memberOf(schema, 'x-toolmend')), ...marks },
});

/** The mark of objects whose undeclared keys the library would remove without a word. */
const strips = { strips: true } as const;

/**
 * Closes the marked objects, so that removed keys are recorded. Joined objects are open: each would
 * refuse the keys of the others.
 */
function closeStripping(libraryOutput: SchemaObject): SchemaObject {
  if (joinsObjects(libraryOutput)) return withOpenParts(libraryOutput);
  const close = (schema: SchemaObject): SchemaObject => {
    const copy = mapSubschemas(schema, close);
    return schema['x-toolmend']?.strips === true ? { ...copy, additionalProperties: false } : copy;
  };
  return close(libraryOutput);
}

/** The library refuses what no part takes. */
function withOpenParts(schema: SchemaObject): SchemaObject {
  const copy = mapSubschemas(schema, withOpenParts);
  if (copy.allOf === undefined) return copy;
  return {
    ...copy,
    allOf: copy.allOf.map((part) => (isSchemaObject(part) ? openPart(part) : part)),
  };
}

function openPart(part: SchemaObject): SchemaObject {
  if (part.additionalProperties !== false || part.properties === undefined) return part;
  const { additionalProperties: _closed, ...open } = part;
  return open;
}

const joinsObjects = (schema: SchemaObject): boolean =>
  (schema.allOf ?? []).some(
    (part) =>
      typeof part === 'object' && (part.$ref !== undefined || part.properties !== undefined),
  ) || subschemasOf(schema).some(joinsObjects);

function callMember(owner: unknown, name: string, options: object): unknown {
  const method = memberOf(owner, name);
  return typeof method === 'function' ? Reflect.apply(method, owner, [options]) : undefined;
}

/**
 * The function that writes the JSON Schema of a library's schemas, and the packages that may have
 * it.
 */
interface Converter {
  readonly packages: readonly string[];
  readonly name: string;
  readonly options: object;
  /** What to do if no package has it. */
  readonly instead: string;
}

function converterOf(schema: object, vendor: string, zod: ZodCorrection): Converter | undefined {
  if (vendor === 'valibot') return valibot;
  if (vendor !== 'zod') return undefined;
  return memberOf(schema, '_zod') === undefined ? zod3(zod) : zod4(zod);
}

function convertWith(converter: Converter | undefined, schema: object, vendor: string): unknown {
  const instead = 'give toJsonSchema: (schema) => …, which returns its JSON Schema';
  const what = `is a schema of ${vendor}, which has no JSON Schema of its own`;
  if (converter === undefined) throw new NoJsonSchema(what, instead);
  for (const name of converter.packages) {
    const convert = memberOf(loadInstalled(name), converter.name);
    if (typeof convert === 'function')
      return Reflect.apply(convert, undefined, [schema, converter.options]);
  }
  throw new NoJsonSchema(what, `${converter.instead}, or ${instead}`);
}

interface ZodNode {
  readonly zodSchema: object;
  readonly jsonSchema: Record<string, unknown>;
}

/** Types that no JSON value is of. */
const notJson = new Set<unknown>([
  'date',
  'bigint',
  'symbol',
  'map',
  'set',
  'nan',
  'function',
  'promise',
  'void',
  'file',
  'blob',
  'instance',
]);

/**
 * What zod's coercion keeps the meaning of, by the type it makes. It makes any value a boolean, and
 * null a number.
 */
const convertedTypes: Readonly<Record<string, readonly JsonType[]>> = {
  number: ['string'],
  string: ['integer', 'number', 'boolean'],
  boolean: [],
  date: ['integer', 'number'],
  bigint: [],
};

/** The keywords of what a coercion takes. */
function coercedKeywords(type: string): object {
  const mark = { type, 'x-toolmend': { converts: convertedTypes[type] ?? [] } };
  if (type === 'date') return { ...mark, type: 'string', examples: ['2026-01-31T12:00:00Z'] };
  return type === 'bigint' ? { ...mark, type: ['integer', 'string'] } : mark;
}

const withoutJson = (type: string, where = ''): NoJsonSchema =>
  new NoJsonSchema(
    `has ${where}z.${type}(), which no JSON value passes`,
    insteadOf[type] ?? 'write the type that the model sends, with a transform',
  );

const insteadOf: Readonly<Record<string, string>> = {
  date: 'write z.coerce.date(), or z.iso.datetime() with a transform',
  map: 'write z.record(), with a transform into a Map',
  set: 'write z.array(), with a transform into a Set',
  bigint: 'write z.coerce.bigint()',
  undefined: 'write z.undefined().optional()',
};

/**
 * Corrects what zod writes: it throws for coerced dates, and its patterns don't have the flags of
 * the expressions.
 */
class ZodCorrection {
  /** Types that only code makes. They are a mistake unless a preprocessor makes them. */
  readonly #impossible: { readonly schema: object; readonly problem: NoJsonSchema }[] = [];
  readonly #preprocessed: unknown[] = [];

  readonly override = ({ zodSchema, jsonSchema }: ZodNode): void => {
    const def = defOf(zodSchema);
    const type = textMember(def, 'type') ?? '';
    const impossible = (problem: NoJsonSchema): void =>
      void this.#impossible.push({ schema: zodSchema, problem });
    if (type === 'undefined') jsonSchema.not = {};
    const { required } = jsonSchema;
    const isUndefined = (key: unknown): boolean =>
      textMember(defOf(memberOf(memberOf(def, 'shape'), String(key))), 'type') === 'undefined';
    // zod requires such keys, and JSON has no value for them.
    if (Array.isArray(required) && required.some(isUndefined))
      impossible(withoutJson('undefined', 'a key of '));
    if (
      type === 'custom' &&
      memberOf(memberOf(memberOf(zodSchema, '_zod'), 'bag'), 'Class') !== undefined
    )
      impossible(withoutJson('instanceof'));
    if (type === 'pipe' && textMember(defOf(memberOf(def, 'in')), 'type') === 'transform')
      this.#preprocessed.push(memberOf(def, 'out'));
    if (memberOf(def, 'coerce') === true)
      Object.assign(jsonSchema, { ...coercedKeywords(type), ...jsonSchema });
    else if (notJson.has(type)) impossible(withoutJson(type));
    if (type === 'catch') Object.assign(jsonSchema, withMarks(jsonSchema, replaces));
    const details = [
      def,
      ...checksOf(def).map((check) => memberOf(memberOf(check, '_zod'), 'def')),
    ];
    if (jsonSchema.type === 'string')
      for (const keyword of lostKeywords(details)) delete jsonSchema[keyword];
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (type === 'object' && memberOf(def, 'catchall') === undefined)
      Object.assign(jsonSchema, withMarks(jsonSchema, strips));
  };

  readonly correctZod3 = (libraryOutput: unknown, def: unknown): unknown => {
    if (!isSchemaObject(libraryOutput)) return libraryOutput;
    const type = (textMember(def, 'typeName') ?? '').replace(/^Zod/, '').toLowerCase();
    if (type === 'effects' && textMember(memberOf(def, 'effect'), 'type') === 'preprocess')
      this.#preprocessed.push(memberOf(def, 'schema'), memberOf(memberOf(def, 'schema'), '_def'));
    if (memberOf(def, 'coerce') === true) {
      const { format: _format, ...others } = libraryOutput;
      const isText = type === 'date' || type === 'bigint';
      return isText
        ? { ...others, ...coercedKeywords(type) }
        : { ...coercedKeywords(type), ...libraryOutput };
    }
    if (notJson.has(type))
      this.#impossible.push({ schema: Object(def), problem: withoutJson(type) });
    if (type === 'catch') return withMarks(libraryOutput, replaces);
    if (
      type === 'object' &&
      memberOf(def, 'unknownKeys') === 'strip' &&
      libraryOutput.additionalProperties === false
    )
      return withMarks(libraryOutput, strips);
    const lostChecks = type === 'string' ? lostKeywords(checksOf(def)) : [];
    return filterKeywords(libraryOutput, (keyword) => !lostChecks.includes(keyword));
  };

  /** Throws for a type that no call can have. */
  check(): void {
    const producedSchemas = new Set(this.#preprocessed);
    for (const schema of producedSchemas)
      for (const subschema of schemasBelow(schema))
        producedSchemas.add(subschema).add(memberOf(subschema, '_def'));
    const mistake = this.#impossible.find(({ schema }) => !producedSchemas.has(schema));
    if (mistake !== undefined) throw mistake.problem;
  }
}

/** The mark of values that the library replaces instead of refusing them. */
const replaces = { replaces: true } as const;

const checksOf = (def: unknown): readonly unknown[] => {
  const checks: unknown = memberOf(def, 'checks');
  return Array.isArray(checks) ? checks : [];
};

/**
 * The keywords that zod's checks of text don't mean: JSON Schema has no flags, its times have an
 * offset, and it doesn't trim or fold text first.
 */
function lostKeywords(checks: readonly unknown[]): readonly string[] {
  const isKind = (kinds: RegExp): boolean =>
    checks.some((check) =>
      kinds.test(textMember(check, 'kind') ?? textMember(check, 'check') ?? ''),
    );
  if (isKind(/^(?:trim|toLowerCase|toUpperCase|overwrite)$/))
    return ['pattern', 'allOf', 'format', 'maxLength'];
  const isLocal = isKind(/^time$/) || checks.some((check) => memberOf(check, 'local') === true);
  const isFlagged = checks.some((check) =>
    hasFlags(memberOf(check, 'regex') ?? memberOf(check, 'pattern')),
  );
  return [...(isLocal ? ['format'] : []), ...(isFlagged ? ['pattern', 'allOf'] : [])];
}

/** Whether an expression has flags that change what it matches. */
const hasFlags = (pattern: unknown): boolean => /[ims]/.test(textMember(pattern, 'flags') ?? '');

/** The zod schemas directly inside another one. */
function schemasBelow(schema: unknown): readonly object[] {
  const def = defOf(schema);
  if (!isObjectLike(def)) return [];
  const calls = ['getter', 'shape'].map((name) => memberOf(def, name));
  const results = calls.map((call): unknown =>
    typeof call === 'function' ? Reflect.apply(call, def, []) : undefined,
  );
  return [...Object.values(def), ...results].flatMap((member: unknown): readonly object[] => {
    if (!isObjectLike(member) || isZod(member)) return isObjectLike(member) ? [member] : [];
    const members: readonly unknown[] = Object.values(member);
    return members.filter((one) => isObjectLike(one)).filter(isZod);
  });
}

/** The definition of a schema of zod 4, or of zod 3. */
const defOf = (schema: unknown): unknown =>
  memberOf(memberOf(schema, '_zod'), 'def') ?? memberOf(schema, '_def');

const isZod = (value: object): boolean => defOf(value) !== undefined;

const zod4 = ({ override }: ZodCorrection): Converter => ({
  packages: ['zod/v4', 'zod'],
  name: 'toJSONSchema',
  options: { io: 'input', unrepresentable: 'any', override },
  instead: 'install zod beside toolmend',
});

const zod3 = ({ correctZod3 }: ZodCorrection): Converter => ({
  packages: ['zod-to-json-schema'],
  name: 'zodToJsonSchema',
  options: { pipeStrategy: 'input', postProcess: correctZod3 },
  instead: "import z from 'zod/v4', or install zod-to-json-schema",
});

interface ValibotNode {
  readonly valibotSchema: object;
  readonly jsonSchema: SchemaObject;
}

function correctValibot({ valibotSchema, jsonSchema }: ValibotNode): object | undefined {
  const type = textMember(valibotSchema, 'type') ?? '';
  const instead = 'write the type that the model sends, in a v.pipe() with v.transform()';
  if (notJson.has(type))
    throw new NoJsonSchema(`has ${type}(), which no JSON value passes`, instead);
  const [entries, item, value] = ['entries', 'item', 'value'].map((name) =>
    memberOf(valibotSchema, name),
  );
  const { properties, items, additionalProperties } = jsonSchema;
  const markedProperties = Object.entries(properties ?? {}).map(
    ([key, property]): [string, unknown] => [
      key,
      isSchemaObject(property) ? ofPipe(memberOf(entries, key), property) : property,
    ],
  );
  const correctedSchema = {
    ...ofPipe(memberOf(valibotSchema, 'wrapped'), jsonSchema),
    ...(properties === undefined ? {} : { properties: objectOf(markedProperties) }),
    ...(isSchemaObject(items) ? { items: ofPipe(item, items) } : {}),
    ...(isSchemaObject(additionalProperties)
      ? { additionalProperties: ofPipe(value, additionalProperties) }
      : {}),
    ...(type === 'tuple' ? { items: false } : {}),
  };
  const isReplaced = memberOf(valibotSchema, 'fallback') !== undefined;
  const strippedSchema = type === 'object' ? withMarks(correctedSchema, strips) : correctedSchema;
  return isReplaced ? withMarks(strippedSchema, replaces) : strippedSchema;
}

/** Marks what the converter doesn't see of a pipe: its fallback, and a coercion of any value. */
function ofPipe(schema: unknown, libraryOutput: object): object {
  const stages: unknown = memberOf(schema, 'pipe');
  const [first, second]: readonly unknown[] = Array.isArray(stages) ? stages : [];
  const [, coercedType] = /^to_(\w+)$/.exec(textMember(second, 'type') ?? '') ?? [];
  const takesAny = ['unknown', 'any'].includes(textMember(first, 'type') ?? '');
  const stage =
    coercedType === undefined || !takesAny
      ? libraryOutput
      : { ...libraryOutput, ...coercedKeywords(coercedType) };
  return memberOf(schema, 'fallback') === undefined ? stage : withMarks(stage, replaces);
}

interface ValibotAction {
  readonly valibotAction: object;
  readonly jsonSchema: { readonly pattern?: unknown; readonly format?: unknown };
}

/** JSON Schema has no flags, and its times have an offset. */
function correctAction({ valibotAction, jsonSchema }: ValibotAction): object | undefined {
  const { pattern: _pattern, ...withoutPattern } = jsonSchema;
  if (hasFlags(memberOf(valibotAction, 'requirement'))) return withoutPattern;
  const { format: _format, ...withoutFormat } = jsonSchema;
  return localTimes.has(textMember(valibotAction, 'type') ?? '') ? withoutFormat : undefined;
}

/** valibot's times without an offset, which JSON Schema's formats demand. */
const localTimes: ReadonlySet<string> = new Set(['iso_time', 'iso_time_second', 'iso_date_time']);

const valibot: Converter = {
  packages: ['@valibot/to-json-schema'],
  name: 'toJsonSchema',
  // Checks and transforms, which have no JSON Schema, are left out: the schema itself runs them.
  options: {
    typeMode: 'input',
    errorMode: 'ignore',
    target,
    overrideSchema: correctValibot,
    overrideAction: correctAction,
  },
  instead: 'install @valibot/to-json-schema',
};
