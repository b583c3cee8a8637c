import { freezeDeep } from '../json/value.ts';
import { type SchemaMap, type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { resolveReference } from '../schema/references.ts';
import { withoutAnnotations } from '../schema/annotations.ts';
import { mergeSchemas } from '../schema/merge-schemas.ts';
import type { MetaArgument, ToolContract } from './tool-contract.ts';

/**
 * The contract with these meta arguments beside its own. A meta argument that the tool's schema declares itself is taken out
 * of the schema, and is required if the schema requires it. The same contract if there is nothing to add.
 */
export function withMetaArguments(contract: ToolContract, meta: readonly MetaArgument[]): ToolContract {
  const own = new Set(contract.meta.map(({ key }) => key));
  const added = meta.filter(({ key }) => !own.has(key));
  if (added.length === 0) return contract;
  const { inputSchema } = contract;
  const copies = added.map((argument) => ({
    ...argument,
    aliases: [...argument.aliases],
    schema: structuredClone(argument.schema),
    isRequired: argument.isRequired || isRequiredIn(inputSchema, argument.key),
  }));
  const keys = new Set(added.map(({ key }) => key));
  return Object.freeze({
    ...contract,
    inputSchema: freezeDeep(mapRootParts(inputSchema, (part) => withoutKeys(part, keys))),
    meta: freezeDeep([...contract.meta, ...copies]),
  });
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

/** Whether a schema requires a key in every branch of it. */
function isRequiredIn(schema: SchemaObject, key: string): boolean {
  const { required, anyOf, oneOf } = mergeSchemas(schema, schema);
  if (required?.includes(key) === true) return true;
  return [anyOf ?? [], oneOf ?? []].some(
    (branches) =>
      branches.length > 0 &&
      branches.every(
        (branch) =>
          typeof branch === 'object' && mergeSchemas(branch, schema).required?.includes(key) === true,
      ),
  );
}

/** The tool's schema as a model sees it: with the meta arguments after the tool's own, without annotations. */
export const modelSchema = ({ inputSchema, meta }: ToolContract): SchemaObject =>
  withoutAnnotations(meta.length === 0 ? inputSchema : withMeta(inputSchema, meta));

/** Adds the meta arguments at the root, and admits them in every part of the schema that would refuse them. */
function withMeta(schema: SchemaObject, meta: readonly MetaArgument[]): SchemaObject {
  const added: SchemaMap = Object.fromEntries(meta.map((argument) => [argument.key, argument.schema]));
  const required = meta.filter(({ isRequired }) => isRequired).map(({ key }) => key);
  const withAll = (part: SchemaObject): SchemaObject => ({
    ...part,
    properties: { ...part.properties, ...added },
    ...(required.length === 0 ? {} : { required: [...(part.required ?? []), ...required] }),
  });
  return mapRootParts(withoutRootReference(schema), (part, isRoot) => {
    const admitting = admit(part, added);
    return isRoot ? withAll(admitting) : admitting;
  });
}

function admit(part: SchemaObject, added: SchemaMap): SchemaObject {
  const { properties, propertyNames, maxProperties } = part;
  const isClosed = [part.additionalProperties, part.unevaluatedProperties].some(
    (others) => others !== undefined && others !== true,
  );
  if (!isClosed && propertyNames === undefined && maxProperties === undefined) return part;
  const keys = Object.keys(added);
  return {
    ...part,
    ...(isClosed ? { properties: { ...properties, ...added } } : {}),
    ...(propertyNames === undefined ? {} : { propertyNames: { anyOf: [propertyNames, { enum: keys }] } }),
    ...(typeof maxProperties === 'number' ? { maxProperties: maxProperties + keys.length } : {}),
  };
}

type Change = (part: SchemaObject, isRoot: boolean) => SchemaObject;

interface Walk {
  readonly root: SchemaObject;
  readonly change: Change;
  /** The references on the way here. */
  readonly seen: readonly string[];
  readonly visited: { parts: number };
}

/** References can lead to pairs of references, and their number can double at each step. */
const maxParts = 1_000;

/**
 * A copy of a root schema with `change` made to every schema of the whole value: the root, its `allOf`, `anyOf`, `oneOf`,
 * `then` and `else`, and the targets of references among them. The same object if nothing changes. References to the root
 * from below lead to the root as it was.
 */
function mapRootParts(root: SchemaObject, change: Change): SchemaObject {
  const mapped = mapPart(root, { root, change, seen: ['#'], visited: { parts: 0 } });
  if (mapped === root || !refersToRoot(root)) return mapped;
  const kept = withRootDefinition(root);
  return mapPart(kept, { root: kept, change, seen: [], visited: { parts: 0 } });
}

function mapPart(schema: SchemaObject, walk: Walk): SchemaObject {
  walk.visited.parts += 1;
  if (walk.visited.parts > maxParts) return schema;
  const own = walk.change(mapBranches(schema, walk), schema === walk.root);
  const { $ref } = schema;
  if ($ref === undefined || walk.seen.includes($ref)) return own;
  const target = resolveReference($ref, walk.root);
  if (target === undefined) return own;
  const mapped = mapPart(target, { ...walk, seen: [...walk.seen, $ref] });
  return mapped === target ? own : withTarget(own, mapped);
}

const branchKeywords = ['allOf', 'anyOf', 'oneOf', 'then', 'else'];

function mapBranches(schema: SchemaObject, walk: Walk): SchemaObject {
  const mapOne = (branch: unknown): unknown => (isSchemaObject(branch) ? mapPart(branch, walk) : branch);
  const changed = branchKeywords.flatMap((keyword) => {
    const held: unknown = schema[keyword];
    const before: readonly unknown[] = Array.isArray(held) ? held : [held];
    const after = before.map(mapOne);
    if (after.every((branch, index) => branch === before[index])) return [];
    return [[keyword, Array.isArray(held) ? after : after[0]] as const];
  });
  return changed.length === 0 ? schema : { ...schema, ...Object.fromEntries(changed) };
}

const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The root without a reference at its top. */
function withoutRootReference(root: SchemaObject): SchemaObject {
  const target = root.$ref === undefined ? undefined : resolveReference(root.$ref, root);
  return target === undefined || target === root ? root : withTarget(root, target);
}

/** A schema with the target of its reference in place of the reference: beside its own keywords, else in `allOf`. */
function withTarget({ $ref: _reference, ...own }: SchemaObject, target: SchemaObject): SchemaObject {
  const { $defs: _defs, definitions: _definitions, $schema: _draft, $id: _id, ...keywords } = target;
  const isApart = Object.keys(keywords).every(
    (keyword) => !Object.hasOwn(own, keyword) || annotations.has(keyword),
  );
  return isApart ? { ...keywords, ...own } : { ...own, allOf: [...(own.allOf ?? []), keywords] };
}

/** The nearest one counts. */
const annotations: ReadonlySet<string> = new Set(['title', 'description', '$comment']);

function refersToRoot(schema: SchemaObject): boolean {
  let refers = false;
  mapSubschemas(schema, (below) => {
    refers ||= below.$ref === '#' || refersToRoot(below);
    return below;
  });
  return refers;
}

/** The root with a copy of itself among its definitions, to which its references to the root lead. */
function withRootDefinition(root: SchemaObject): SchemaObject {
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
