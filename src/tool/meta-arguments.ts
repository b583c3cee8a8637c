import { DefinitionError, type DefinitionProblem } from '../errors/definition-error.ts';
import { freezeDeep } from '../collections/objects.ts';
import { spellingOf } from '../json/key-spelling.ts';
import {
  type SchemaMap,
  type SchemaObject,
  filterKeywords,
  mapSubschemas,
  schemasIn,
  subschemasOf,
} from '../schema/json-schema.ts';
import { resolveReference } from '../schema/references.ts';
import { viewsIn } from '../schema/schema-view.ts';
import type { MetaArgument, ToolContract } from './tool-contract.ts';

/** Registries show it for tools that may run in the background, and for no others. */
export const backgroundArgument: MetaArgument = Object.freeze({
  key: '_background',
  name: 'background',
  aliases: [],
  isRequired: false,
  schema: {
    type: 'boolean',
    description: 'Whether to answer at once and let the call go on in the background.',
  },
} satisfies MetaArgument);

/**
 * `_rationale`, `_timeout_seconds` and `_background`; off until a registry or a call switches them
 * on.
 */
export const standardMetaArguments: readonly MetaArgument[] = Object.freeze([
  {
    key: '_rationale',
    name: 'rationale',
    aliases: [],
    isRequired: false,
    schema: {
      type: 'string',
      description: 'Why this call is made, in one sentence.',
      // Verbatim, because a number or an object is not a reason.
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
  backgroundArgument,
] satisfies readonly MetaArgument[]);

/** The values of `standardMetaArguments`, for `ToolContext<StandardMeta>`. */
export interface StandardMeta {
  readonly rationale?: string;
  /** Seconds. */
  readonly timeout_seconds?: number;
  readonly background?: boolean;
}

/** The key that a model sees for a meta argument: its name after an underscore. */
export const canonicalKey = (name: string): string => `_${name}`;

/**
 * Reports invalid names, and names that are spelled alike. `where`: what the meta arguments are
 * passed to.
 */
export function metaProblems(
  meta: readonly MetaArgument[],
  where: string,
): readonly DefinitionProblem[] {
  const keysBySpelling = new Map<string, string>();
  return meta.flatMap(({ key, name, aliases }) => {
    const isName = /^[a-z]\w{0,60}$/i.test(name) && key === canonicalKey(name);
    const what = `has the meta argument ${JSON.stringify(key)} with the name ${JSON.stringify(name)}`;
    const instead = 'write a name of letters, digits and _, and as key the name after a _';
    const problems = isName ? [] : [{ where, what, instead }];
    for (const spelling of new Set([key, ...aliases].map(spellingOf))) {
      const other = keysBySpelling.get(spelling);
      keysBySpelling.set(spelling, key);
      if (other === undefined) continue;
      problems.push({
        where,
        what: `has the meta arguments ${other} and ${key}, which are spelled alike`,
        instead: 'remove one of them, or rename it',
      });
    }
    return problems;
  });
}

/**
 * A copy of the meta arguments, those of these names required. Throws a DefinitionError for an
 * unknown name.
 */
export function requireMeta(
  meta: readonly MetaArgument[],
  ...names: readonly string[]
): readonly MetaArgument[] {
  const knownNames = meta.map(({ name }) => name);
  const problems = names
    .filter((name) => !knownNames.includes(name))
    .map((name) => ({
      where: 'requireMeta',
      what: `names ${JSON.stringify(name)}, which is not among the meta arguments`,
      instead: `write some of ${knownNames.join(', ')}`,
    }));
  if (problems.length > 0) throw new DefinitionError(problems);
  return freezeDeep(
    meta.map((argument) => ({
      ...argument,
      isRequired: argument.isRequired || names.includes(argument.name),
    })),
  );
}

/**
 * The contract with these meta arguments too. One that the tool's schema declares is removed from
 * it, and stays required.
 */
export function withMetaArguments(
  contract: ToolContract,
  meta: readonly MetaArgument[],
): ToolContract {
  const ownKeys = new Set(contract.meta.map(({ key }) => key));
  const newArguments = meta.filter(({ key }) => !ownKeys.has(key));
  if (newArguments.length === 0) return contract;
  const { inputSchema } = contract;
  const copies = newArguments.map((argument) => ({
    ...argument,
    aliases: [...argument.aliases],
    schema: structuredClone(argument.schema),
    isRequired: argument.isRequired || isRequiredIn(inputSchema, argument.key),
  }));
  const keys = new Set(newArguments.map(({ key }) => key));
  const argumentsSchema = withoutRootKeys(inputSchema, keys);
  const all = [...contract.meta, ...copies];
  return Object.freeze({
    ...contract,
    inputSchema: freezeDeep(argumentsSchema),
    meta: freezeDeep(all),
    schemaWithMeta: freezeDeep(withMeta(argumentsSchema, all)),
  });
}

/**
 * A copy that neither declares nor requires these keys, in any schema for the whole value; the same
 * object if none does.
 */
export const withoutRootKeys = (root: SchemaObject, keys: ReadonlySet<string>): SchemaObject =>
  mapRootParts(root, (part) => withoutKeys(part, keys));

function withoutKeys(part: SchemaObject, keys: ReadonlySet<string>): SchemaObject {
  const { properties, required } = part;
  const declares = Object.keys(properties ?? {}).some((key) => keys.has(key));
  const requires = required?.some((key) => keys.has(key)) === true;
  if (!declares && !requires) return part;
  const remainingProperties = Object.entries(properties ?? {}).filter(([key]) => !keys.has(key));
  return {
    ...part,
    ...(declares ? { properties: Object.fromEntries(remainingProperties) } : {}),
    ...(requires ? { required: required.filter((key) => !keys.has(key)) } : {}),
  };
}

/** Whether a schema requires a key: itself, or in every branch of a union. */
function isRequiredIn(schema: SchemaObject, key: string): boolean {
  const views = viewsIn(schema);
  const { required, branches } = views.of(schema);
  if (required.has(key)) return true;
  return branches.length > 0 && branches.every((branch) => views.of(branch).required.has(key));
}

/**
 * Adds the meta arguments to the root, and allows them in every part of the schema that would
 * refuse them.
 */
function withMeta(schema: SchemaObject, meta: readonly MetaArgument[]): SchemaObject {
  const metaProperties: SchemaMap = Object.fromEntries(
    meta.map((argument) => [argument.key, argument.schema]),
  );
  const required = meta.filter(({ isRequired }) => isRequired).map(({ key }) => key);
  const withAll = (part: SchemaObject): SchemaObject => ({
    ...part,
    properties: { ...part.properties, ...metaProperties },
    ...(required.length === 0 ? {} : { required: [...(part.required ?? []), ...required] }),
  });
  return mapRootParts(withoutRootReference(schema), (part, isRoot) => {
    const admitting = admit(part, metaProperties);
    return isRoot ? withAll(admitting) : admitting;
  });
}

function admit(part: SchemaObject, metaProperties: SchemaMap): SchemaObject {
  const { properties, propertyNames, maxProperties } = part;
  const isClosed = [part.additionalProperties, part.unevaluatedProperties].some(
    (others) => others !== undefined && others !== true,
  );
  if (!isClosed && propertyNames === undefined && maxProperties === undefined) return part;
  const keys = Object.keys(metaProperties);
  return {
    ...part,
    ...(isClosed ? { properties: { ...properties, ...metaProperties } } : {}),
    ...(propertyNames === undefined
      ? {}
      : { propertyNames: { anyOf: [propertyNames, { enum: keys }] } }),
    ...(typeof maxProperties === 'number' ? { maxProperties: maxProperties + keys.length } : {}),
  };
}

/**
 * A copy with every schema for the whole value changed, also of the schemas that it refers to; the same object if
 * nothing changes.
 */
function mapRootParts(
  root: SchemaObject,
  change: (part: SchemaObject, isRoot: boolean) => SchemaObject,
): SchemaObject {
  const stableRoot = refersToRoot(root) ? withRootDefinition(root) : root;
  const targets = new Map<string, SchemaObject>();
  const mapPart = (schema: SchemaObject): SchemaObject => {
    const changedPart = change(mapBranches(schema, mapPart), schema === stableRoot);
    const { $ref } = schema;
    const target = $ref === undefined ? undefined : resolveReference($ref, stableRoot);
    if ($ref === undefined || target === undefined) return changedPart;
    let mappedTarget = targets.get($ref);
    if (mappedTarget === undefined) {
      // Meanwhile, for a schema that refers to itself.
      targets.set($ref, target);
      mappedTarget = mapPart(target);
      targets.set($ref, mappedTarget);
    }
    return mappedTarget === target ? changedPart : withTarget(changedPart, mappedTarget);
  };
  const mappedRoot = mapPart(stableRoot);
  return mappedRoot === stableRoot ? root : mappedRoot;
}

const branchKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else']);

function mapBranches(
  schema: SchemaObject,
  map: (branch: SchemaObject) => SchemaObject,
): SchemaObject {
  const branches = filterKeywords(schema, (keyword) => branchKeywords.has(keyword));
  const mappedBranches = mapSubschemas(branches, map);
  const subschemas = subschemasOf(branches);
  const isSame = subschemasOf(mappedBranches).every(
    (branch, index) => branch === subschemas[index],
  );
  return isSame ? schema : { ...schema, ...mappedBranches };
}

function withoutRootReference(root: SchemaObject): SchemaObject {
  const target = root.$ref === undefined ? undefined : resolveReference(root.$ref, root);
  return target === undefined || target === root ? root : withTarget(root, target);
}

/**
 * The schema with the target of its reference merged in, or in `allOf` if both have the same
 * keyword.
 */
function withTarget(
  { $ref: _reference, ...siblings }: SchemaObject,
  target: SchemaObject,
): SchemaObject {
  const {
    $defs: _defs,
    definitions: _definitions,
    $schema: _draft,
    $id: _id,
    ...keywords
  } = target;
  const isApart = Object.keys(keywords).every(
    (keyword) => !Object.hasOwn(siblings, keyword) || annotations.has(keyword),
  );
  return isApart
    ? { ...keywords, ...siblings }
    : { ...siblings, allOf: [...(siblings.allOf ?? []), keywords] };
}

/** Of these keywords, the schema's own replaces the target's. */
const annotations: ReadonlySet<string> = new Set(['title', 'description', '$comment']);

const refersToRoot = (schema: SchemaObject): boolean =>
  subschemasOf(schema)
    .flatMap(schemasIn)
    .some(({ $ref }) => $ref === '#');

/**
 * The root with a copy of itself in `$defs`, which replaces the root as the target of references.
 */
function withRootDefinition(root: SchemaObject): SchemaObject {
  let name = 'Arguments';
  while (Object.hasOwn(root.$defs ?? {}, name)) name = `_${name}`;
  const withRedirectedReferences = (schema: SchemaObject): SchemaObject => ({
    ...mapSubschemas(schema, withRedirectedReferences),
    ...(schema.$ref === '#' ? { $ref: `#/$defs/${name}` } : {}),
  });
  const copy = withRedirectedReferences(root);
  const { $defs = {}, $schema: _draft, $id: _id, ...rootKeywords } = copy;
  return { ...copy, $defs: { ...$defs, [name]: rootKeywords } };
}
