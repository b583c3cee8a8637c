import { type JsonSchema, type SchemaMap, type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { resolveReference } from '../schema/references.ts';
import { mergeSchemas, withoutAnnotations } from '../schema/schema-view.ts';
import type { MetaArgument, ToolContract } from './tool-contract.ts';

// Shown to models, taken out before the tool sees anything.
/** `_rationale`, `_timeout_seconds` and `_background`; off until a registry or a call switches them on. */
export const standardMetaArguments: readonly MetaArgument[] = Object.freeze([
  {
    key: '_rationale',
    name: 'rationale',
    aliases: [],
    isRequired: false,
    schema: {
      type: 'string',
      description: 'Why this call is made, in one sentence.',
      // A number or an object is not taken for a reason.
      'x-toolmend': { verbatim: true },
    },
    check: ({ rationale }) =>
      typeof rationale === 'string' && rationale.trim() === ''
        ? [{ path: '/rationale', check: 'rationale', message: 'say why this call is made' }]
        : [],
  },
  {
    key: '_timeout_seconds',
    name: 'timeout_seconds',
    aliases: ['timeout'],
    isRequired: false,
    schema: { type: 'integer', minimum: 1, description: 'Seconds this call may take.' },
  },
  {
    key: '_background',
    name: 'background',
    aliases: [],
    isRequired: false,
    schema: { type: 'boolean', description: 'Whether the call may go on in the background.' },
  },
] satisfies readonly MetaArgument[]);

/** The values of `standardMetaArguments`, for `ToolContext<StandardMeta>`. */
export interface StandardMeta {
  readonly rationale?: string;
  /** Seconds. */
  readonly timeout_seconds?: number;
  readonly background?: boolean;
}

/** The key that a model sees for a name in the meta record: the same with an underscore before it. */
export const canonicalKey = (name: string): string => `_${name}`;

// The root, and what it refers to, joins or branches into.
type Change = (part: SchemaObject, where: 'root' | 'part') => SchemaObject;

interface Walk {
  readonly root: SchemaObject;
  readonly change: Change;
  /** The references on the way here. */
  readonly seen: readonly string[];
  /** How many parts have been looked at, in all. */
  readonly looked: { parts: number };
}

/** Parts that are looked at, at most: references that lead to pairs of references have no end that anybody would wait for. */
const mostParts = 1_000;

/**
 * A copy of a root schema with `change` made to every schema that speaks of the whole value: itself, its `allOf`,
 * `anyOf`, `oneOf`, `then` and `else`, and the targets of references among them. The same object if nothing changes.
 * What refers to the root from below keeps the root as it was.
 */
function mapRootParts(root: SchemaObject, change: Change): SchemaObject {
  const mapped = mapPart(root, { root, change, seen: ['#'], looked: { parts: 0 } });
  if (mapped === root || !refersToRoot(root)) return mapped;
  const kept = withRootKept(root);
  return mapPart(kept, { root: kept, change, seen: [], looked: { parts: 0 } });
}

/** The root without a reference at its top: what it refers to stands in its place. */
function withoutRootReference(root: SchemaObject): SchemaObject {
  const target = root.$ref === undefined ? undefined : resolveReference(root.$ref, root);
  return target === undefined || target === root ? root : inPlaceOfReference(root, target);
}

function mapPart(schema: SchemaObject, walk: Walk): SchemaObject {
  walk.looked.parts += 1;
  if (walk.looked.parts > mostParts) return schema;
  const parts = mapBranches(schema, walk);
  const { $ref } = schema;
  const target =
    $ref === undefined || walk.seen.includes($ref) ? undefined : resolveReference($ref, walk.root);
  const own = walk.change(parts, schema === walk.root ? 'root' : 'part');
  if ($ref === undefined || target === undefined) return own;
  const mapped = mapPart(target, { ...walk, seen: [...walk.seen, $ref] });
  return mapped === target ? own : inPlaceOfReference(own, mapped);
}

const lists = ['allOf', 'anyOf', 'oneOf'] as const;

function mapBranches(schema: SchemaObject, walk: Walk): SchemaObject {
  const mapped = new Map<string, unknown>();
  for (const keyword of lists) {
    const branches = schema[keyword];
    const changed = branches?.map((branch) => mapOne(branch, walk));
    if (changed?.some((branch, index) => branch !== branches?.[index]) === true) mapped.set(keyword, changed);
  }
  for (const keyword of ['then', 'else']) {
    const branch: unknown = schema[keyword];
    if (!isSchemaObject(branch)) continue;
    const changed = mapPart(branch, walk);
    if (changed !== branch) mapped.set(keyword, changed);
  }
  return mapped.size === 0 ? schema : { ...schema, ...Object.fromEntries(mapped) };
}

const mapOne = (schema: JsonSchema, walk: Walk): JsonSchema =>
  typeof schema === 'boolean' ? schema : mapPart(schema, walk);

const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Both hold: side by side where no keyword stands in both, else joined. */
function inPlaceOfReference({ $ref: _reference, ...own }: SchemaObject, target: SchemaObject): SchemaObject {
  const { $defs: _defs, definitions: _definitions, $schema: _draft, $id: _id, ...said } = target;
  const isApart = Object.keys(said).every(
    (keyword) => !Object.hasOwn(own, keyword) || spokenOnly.has(keyword),
  );
  return isApart ? { ...said, ...own } : { ...own, allOf: [...(own.allOf ?? []), said] };
}

/** Said of a schema, not of a value: what stands nearer counts. */
const spokenOnly: ReadonlySet<string> = new Set(['title', 'description', '$comment']);

function refersToRoot(schema: SchemaObject): boolean {
  let refers = false;
  mapSubschemas(schema, (below) => {
    refers ||= below.$ref === '#' || refersToRoot(below);
    return below;
  });
  return refers;
}

/** The root is kept as a definition, and what referred to the root refers to that. */
function withRootKept(root: SchemaObject): SchemaObject {
  let name = 'Arguments';
  while (Object.hasOwn(root.$defs ?? {}, name)) name = `_${name}`;
  const redirected = (schema: SchemaObject): SchemaObject => ({
    ...mapSubschemas(schema, redirected),
    ...(schema.$ref === '#' ? { $ref: `#/$defs/${name}` } : {}),
  });
  const copy = redirected(root);
  const { $defs = {}, $schema: _draft, $id: _id, ...kept } = copy;
  return { ...copy, $defs: { ...$defs, [name]: kept } };
}

// The tool is validated without them, and shown with them.
/** The schema of what the tool itself gets: without meta arguments that its author has declared already. */
export function withoutMeta(schema: SchemaObject, meta: readonly MetaArgument[]): SchemaObject {
  if (meta.length === 0) return schema;
  const keys = new Set(meta.map(({ key }) => key));
  return mapRootParts(schema, (part) => withoutKeys(part, keys));
}

function withoutKeys(part: SchemaObject, keys: ReadonlySet<string>): SchemaObject {
  const { properties, required } = part;
  const declares = Object.keys(properties ?? {}).some((key) => keys.has(key));
  const requires = required?.some((key) => keys.has(key)) === true;
  if (!declares && !requires) return part;
  const kept = Object.entries(properties ?? {}).filter(([key]) => !keys.has(key));
  return {
    ...part,
    ...(declares ? { properties: Object.fromEntries(kept) } : {}),
    ...(requires ? { required: required.filter((key) => !keys.has(key)) } : {}),
  };
}

/** Whether a tool's own schema requires a meta argument, whichever of its branches is meant. */
export function isRequiredIn(schema: SchemaObject, key: string): boolean {
  const { required, anyOf, oneOf } = mergeSchemas(schema, schema);
  if (required?.includes(key) === true) return true;
  return [anyOf, oneOf].some(
    (branches) =>
      branches !== undefined &&
      branches.length > 0 &&
      branches.every(
        (branch) =>
          typeof branch === 'object' && mergeSchemas(branch, schema).required?.includes(key) === true,
      ),
  );
}

/**
 * The schema that a model is shown: the meta arguments stand after the tool's own, and every part of the schema that
 * would refuse them admits them.
 */
export function withMeta(schema: SchemaObject, meta: readonly MetaArgument[]): SchemaObject {
  if (meta.length === 0) return schema;
  const injected: SchemaMap = Object.fromEntries(meta.map((argument) => [argument.key, argument.schema]));
  const required = meta.filter(({ isRequired }) => isRequired).map(({ key }) => key);
  const withAll = (part: SchemaObject): SchemaObject => ({
    ...part,
    properties: { ...part.properties, ...injected },
    ...(required.length === 0 ? {} : { required: [...(part.required ?? []), ...required] }),
  });
  return mapRootParts(withoutRootReference(schema), (part, where) =>
    where === 'root' ? withAll(admitted(part, injected)) : admitted(part, injected),
  );
}

function admitted(part: SchemaObject, injected: SchemaMap): SchemaObject {
  const { propertyNames, maxProperties } = part;
  const isClosed = [part.additionalProperties, part['unevaluatedProperties']].some(
    (others) => others !== undefined && others !== true,
  );
  if (!isClosed && propertyNames === undefined && maxProperties === undefined) return part;
  const keys = Object.keys(injected);
  return {
    ...part,
    ...(isClosed ? { properties: { ...part.properties, ...injected } } : {}),
    ...(propertyNames === undefined ? {} : { propertyNames: { anyOf: [propertyNames, { enum: keys }] } }),
    ...(typeof maxProperties === 'number' ? { maxProperties: maxProperties + keys.length } : {}),
  };
}

/** The tool's own schema as a model sees it: with meta arguments, without annotations. */
export const modelSchema = ({ inputSchema, meta }: ToolContract): SchemaObject =>
  withoutAnnotations(withMeta(inputSchema, meta));
