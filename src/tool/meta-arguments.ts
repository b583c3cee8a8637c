import {
  type OptionKinds,
  anyObject,
  boolean,
  callback,
  list,
  required,
  string,
} from '../errors/check-options.ts';
import { DefinitionError, type DefinitionProblem } from '../errors/definition-error.ts';
import { type JsonObject, freezeDeep, spellingOf } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import type { SchemaViews } from '../schema/schema-view.ts';
import { contractFromSchema } from './from-schema.ts';
import type { MetaArgument, ToolContract } from './tool-contract.ts';

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
      // A number or an object is not a reason.
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

/** The key that a model sees for a name in the meta record: the name with an underscore before it. */
export const canonicalKey = (name: string): string => `_${name}`;

export const metaArgumentKinds: OptionKinds<MetaArgument> = {
  key: required(string),
  name: required(string),
  schema: required(anyObject('write a JSON Schema')),
  aliases: required(list(string)),
  isRequired: required(boolean),
  check: callback('write a function that returns what is wrong with a value'),
};

/** Finds names that can't be keys of the meta record, and names that are spelled alike. `where` names their taker. */
export function metaProblems(meta: readonly MetaArgument[], where: string): readonly DefinitionProblem[] {
  const keysBySpelling = new Map<string, string>();
  return meta.flatMap(({ key, name, aliases }) => {
    const isName = /^[a-z]\w{0,60}$/i.test(name) && key === canonicalKey(name);
    const what = `has the meta argument ${JSON.stringify(key)} with the name ${JSON.stringify(name)}`;
    const instead = 'write a name of letters, digits and _, and as key _ and the name';
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

/** The same meta arguments, with those of these names required of every call. Throws a DefinitionError for an unknown name. */
export function requireMeta(
  meta: readonly MetaArgument[],
  ...names: readonly string[]
): readonly MetaArgument[] {
  const known = meta.map(({ name }) => name);
  const problems = names
    .filter((name) => !known.includes(name))
    .map((name) => ({
      where: 'requireMeta',
      what: `names ${JSON.stringify(name)}, which is not among the meta arguments`,
      instead: `write some of ${known.join(', ')}`,
    }));
  if (problems.length > 0) throw new DefinitionError(problems);
  return freezeDeep(
    meta.map((argument) => ({
      ...argument,
      isRequired: argument.isRequired || names.includes(argument.name),
    })),
  );
}

const contracts = new WeakMap<ToolContract, ToolContract>();

/** The contract of an object that has all meta arguments by name; made once a contract. */
export function contractOfMeta(contract: ToolContract): ToolContract {
  const known = contracts.get(contract) ?? makeContract(contract);
  contracts.set(contract, known);
  return known;
}

function makeContract({ name, repair, validator, meta }: ToolContract): ToolContract {
  const inputSchema: SchemaObject = {
    type: 'object',
    properties: Object.fromEntries(meta.map((argument) => [argument.name, argument.schema])),
    required: meta.filter(({ isRequired }) => isRequired).map((argument) => argument.name),
    additionalProperties: false,
  };
  const made = contractFromSchema({
    name,
    repair,
    inputSchema,
    ...(validator === undefined ? {} : { validator }),
  });
  const checks = [...new Set(meta.flatMap(({ check }) => check ?? []))];
  if (checks.length === 0) return made;
  return Object.freeze({ ...made, check: (value: JsonObject) => checks.flatMap((check) => check(value)) });
}

/** The names that a tool declares at its root, in any branch, and their aliases. */
export interface OwnNames {
  /** In the form that all spellings share. */
  readonly spellings: ReadonlySet<string>;
  /** Undeclared keys are data. */
  readonly isMap: boolean;
}

const known = new WeakMap<SchemaViews, OwnNames>();

/** Reads a schema once. */
export function ownNamesOf(views: SchemaViews): OwnNames {
  const names = known.get(views) ?? readNames(views);
  known.set(views, names);
  return names;
}

function readNames(views: SchemaViews): OwnNames {
  const spellings = new Set<string>();
  let isMap = false;
  let visited = 0;
  const read = (schema: JsonSchema, depth: number): void => {
    visited += 1;
    const { properties, patternProperties, additionalProperties: others, branches } = views.of(schema);
    for (const [name, property] of properties) {
      for (const key of [name, ...views.of(property).aliases]) spellings.add(spellingOf(key));
    }
    // `{}` is the same as true.
    isMap ||= patternProperties.length > 0 || (typeof others === 'object' && Object.keys(others).length > 0);
    if (depth < maxDepth && visited < maxBranches) for (const branch of branches) read(branch, depth + 1);
  };
  read(views.root, 0);
  return { spellings, isMap };
}

/** A schema may contain itself. */
const maxDepth = 4;
const maxBranches = 1_000;
