import { loadInstalled } from './installed-package.ts';
import { type SchemaObject, isSchemaObject, mapSubschemas, subschemasOf } from './json-schema.ts';
import { memberOf, textMember } from './not-a-schema.ts';

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
 * The JSON Schema of what a library's schema takes: written by the schema itself, else by its library's converter, if that is
 * installed. Throws what the library throws, and `NoJsonSchema` if there is no converter.
 */
export function writeJsonSchema(schema: object, vendor: string): unknown {
  const standard = memberOf(schema, '~standard');
  const libraryOptions = vendor === 'zod' ? { libraryOptions: zodOptions } : {};
  const written =
    callMember(memberOf(standard, 'jsonSchema'), 'input', { target, ...libraryOptions }) ??
    callMember(schema, 'toJSONSchema', { io: 'input', ...zodOptions }) ??
    callMember(memberOf(schema, 'in') ?? schema, 'toJsonSchema', {});
  return closeStripping(written ?? convertWith(converterOf(schema, vendor), schema, vendor));
}

/** The mark of objects whose undeclared keys the library would remove without a word. */
const strips = { 'x-toolmend': { strips: true } } as const;

/** Closes the marked objects, so that removed keys are recorded. Joined objects stay open: each would refuse the keys of the others. */
function closeStripping(written: unknown): unknown {
  if (!isSchemaObject(written) || joinsObjects(written)) return written;
  const close = (schema: SchemaObject): SchemaObject => {
    const copy = mapSubschemas(schema, close);
    return schema['x-toolmend']?.strips === true ? { ...copy, additionalProperties: false } : copy;
  };
  return close(written);
}

const joinsObjects = (schema: SchemaObject): boolean =>
  (schema.allOf ?? []).some(
    (part) => typeof part === 'object' && (part.$ref !== undefined || part.properties !== undefined),
  ) || subschemasOf(schema).some(joinsObjects);

function callMember(owner: unknown, name: string, options: object): unknown {
  const method = memberOf(owner, name);
  return typeof method === 'function' ? Reflect.apply(method, owner, [options]) : undefined;
}

/** The function that writes the JSON Schema of a library's schemas, and the packages that may have it. */
interface Converter {
  readonly packages: readonly string[];
  readonly name: string;
  readonly options: object;
  /** What to do if no package has it. */
  readonly instead: string;
}

function converterOf(schema: object, vendor: string): Converter | undefined {
  if (vendor === 'valibot') return valibot;
  if (vendor !== 'zod') return undefined;
  return memberOf(schema, '_zod') === undefined ? zod3 : zod4;
}

function convertWith(converter: Converter | undefined, schema: object, vendor: string): unknown {
  const own = 'give toJsonSchema: (schema) => …, which returns its JSON Schema';
  const what = `is a schema of ${vendor}, which has no JSON Schema of its own`;
  if (converter === undefined) throw new NoJsonSchema(what, own);
  for (const name of converter.packages) {
    const convert = memberOf(loadInstalled(name), converter.name);
    if (typeof convert === 'function') return Reflect.apply(convert, undefined, [schema, converter.options]);
  }
  throw new NoJsonSchema(what, `${converter.instead}, or ${own}`);
}

interface ZodNode {
  readonly zodSchema: object;
  readonly jsonSchema: Record<string, unknown>;
}

/** Types of zod that take no JSON value. */
const notJson = new Set([
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
]);

/** Corrects what zod writes: it throws for coerced dates, and its patterns don't have the flags of the expressions. */
function correctZod({ zodSchema, jsonSchema }: ZodNode): void {
  const def = memberOf(memberOf(zodSchema, '_zod'), 'def');
  const type = textMember(def, 'type') ?? '';
  if (type === 'undefined') jsonSchema.not = {};
  if (type === 'object') refuseUndefinedKeys(def, jsonSchema);
  if (
    type === 'custom' &&
    typeof memberOf(memberOf(memberOf(zodSchema, '_zod'), 'bag'), 'Class') === 'function'
  )
    throw new NoJsonSchema(
      'has z.instanceof(), which no JSON value passes',
      'write the type that the model sends, with a transform',
    );
  if (notJson.has(type)) {
    if (memberOf(def, 'coerce') !== true) {
      const instead =
        type === 'date'
          ? 'write z.coerce.date(), or z.iso.datetime() with a transform'
          : 'write the type that the model sends, with a transform';
      throw new NoJsonSchema(`has z.${type}(), which no JSON value passes`, instead);
    }
    jsonSchema.type = type === 'date' ? 'string' : ['integer', 'string'];
  }
  if (jsonSchema.type === 'string') correctText(def, jsonSchema);
  if (type === 'object' && memberOf(def, 'catchall') === undefined) Object.assign(jsonSchema, strips);
}

/** zod requires such keys, and JSON has no value for them. */
function refuseUndefinedKeys(def: unknown, jsonSchema: Record<string, unknown>): void {
  const { required } = jsonSchema;
  const isUndefined = (key: unknown): boolean => {
    const field = memberOf(memberOf(def, 'shape'), String(key));
    return memberOf(memberOf(memberOf(field, '_zod'), 'def'), 'type') === 'undefined';
  };
  if (!Array.isArray(required) || !required.some(isUndefined)) return;
  throw new NoJsonSchema(
    'has a key of z.undefined(), which no JSON value passes',
    'write z.undefined().optional()',
  );
}

function correctText(def: unknown, jsonSchema: Record<string, unknown>): void {
  const listed: unknown = memberOf(def, 'checks');
  const checks: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const details = [def, ...checks.map((check) => memberOf(memberOf(check, '_zod'), 'def'))];
  const hasFlags = details.some((detail) =>
    /[ims]/.test(textMember(memberOf(detail, 'pattern'), 'flags') ?? ''),
  );
  // Trimmed and folded text is checked after that, the JSON Schema before.
  const isChanged = details.some((detail) => memberOf(detail, 'check') === 'overwrite');
  const lost = isChanged ? ['pattern', 'allOf', 'format', 'maxLength'] : hasFlags ? ['pattern', 'allOf'] : [];
  for (const keyword of lost) delete jsonSchema[keyword];
}

const zodOptions = { unrepresentable: 'any', override: correctZod };

const zod4: Converter = {
  packages: ['zod/v4', 'zod'],
  name: 'toJSONSchema',
  options: { io: 'input', ...zodOptions },
  instead: 'install zod beside toolmend',
};

/** zod's times have no offset, JSON Schema's must have one. */
const withoutTime = (written: unknown): unknown => {
  if (!isSchemaObject(written) || written.format !== 'time') return written;
  const { format: _time, ...others } = written;
  return others;
};

const zod3: Converter = {
  packages: ['zod-to-json-schema'],
  name: 'zodToJsonSchema',
  options: { pipeStrategy: 'input', postProcess: withoutTime },
  instead: "import z from 'zod/v4', or install zod-to-json-schema",
};

const correctValibot = ({
  valibotSchema,
  jsonSchema,
}: {
  readonly valibotSchema: object;
  readonly jsonSchema: object & { readonly format?: unknown };
}): object | undefined => {
  if (memberOf(valibotSchema, 'type') === 'object') return { ...jsonSchema, ...strips };
  const actions: unknown = memberOf(valibotSchema, 'pipe');
  const isLocal =
    Array.isArray(actions) &&
    actions.some((action: unknown) => localTimes.has(textMember(action, 'type') ?? ''));
  if (!isLocal) return undefined;
  const { format: _format, ...others } = jsonSchema;
  return others;
};

/** valibot's times without an offset, which JSON Schema's formats demand. */
const localTimes: ReadonlySet<string> = new Set(['iso_time', 'iso_time_second', 'iso_date_time']);

const valibot: Converter = {
  packages: ['@valibot/to-json-schema'],
  name: 'toJsonSchema',
  // Checks and transforms, which have no JSON Schema, are left out: the schema itself runs them.
  options: { typeMode: 'input', errorMode: 'ignore', target, overrideSchema: correctValibot },
  instead: 'install @valibot/to-json-schema',
};
