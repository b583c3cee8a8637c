// Which schemas speak of the arguments as a whole? The root, and what it refers to, joins or branches into.
import type { JsonSchema, SchemaObject } from '../../json/json-schema.ts';
import { mapSubschemas } from '../../json/map-subschemas.ts';
import { resolveReference } from '../judged-schema/local-references.ts';

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
export function mapRootParts(root: SchemaObject, change: Change): SchemaObject {
  const mapped = mapPart(root, { root, change, seen: ['#'], looked: { parts: 0 } });
  if (mapped === root || !refersToRoot(root)) return mapped;
  const kept = withRootKept(root);
  return mapPart(kept, { root: kept, change, seen: [], looked: { parts: 0 } });
}

/** The root without a reference at its top: what it refers to stands in its place. */
export function withoutRootReference(root: SchemaObject): SchemaObject {
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
  const { $defs: _defs, definitions: _definitions, $schema: _dialect, $id: _id, ...said } = target;
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
  const { $defs = {}, $schema: _dialect, $id: _id, ...kept } = copy;
  return { ...copy, $defs: { ...$defs, [name]: kept } };
}
