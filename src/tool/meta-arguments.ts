import {
  type OptionKinds,
  anyObject,
  boolean,
  callback,
  list,
  required,
  string,
} from '../errors/check-options.ts';
import { type JsonObject, foldKey } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import type { SchemaViews } from '../schema/schema-view.ts';
import { contractFromSchema } from './from-schema.ts';
import type { MetaArgument, ToolContract } from './tool-contract.ts';

export const metaArgumentKinds: OptionKinds<MetaArgument> = {
  key: required(string),
  name: required(string),
  schema: required(anyObject('write a JSON Schema')),
  aliases: required(list(string)),
  isRequired: required(boolean),
  check: callback('write a function that returns what is wrong with a value'),
};

const contracts = new WeakMap<ToolContract, ToolContract>();

/** The contract of an object with the values of all meta arguments by name; repaired as far as the tool's arguments are. */
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

/** What a tool declares at its root, in whichever branch, its aliases included. */
export interface OwnNames {
  /** In the form that all spellings share. */
  readonly folded: ReadonlySet<string>;
  /** Keys that nobody declared are data of the tool's: only a canonical name is meta there. */
  readonly isMap: boolean;
}

const known = new WeakMap<SchemaViews, OwnNames>();

/** Read once a schema. */
export function ownNamesOf(views: SchemaViews): OwnNames {
  const names = known.get(views) ?? readNames(views);
  known.set(views, names);
  return names;
}

function readNames(views: SchemaViews): OwnNames {
  const folded = new Set<string>();
  let isMap = false;
  let looked = 0;
  const read = (schema: JsonSchema, depth: number): void => {
    looked += 1;
    const { properties, patternProperties, additionalProperties: others, branches } = views.of(schema);
    for (const [name, property] of properties) {
      for (const spelling of [name, ...views.of(property).aliases]) folded.add(foldKey(spelling) ?? spelling);
    }
    // `{}` says no more than true.
    isMap ||= patternProperties.length > 0 || (typeof others === 'object' && Object.keys(others).length > 0);
    if (depth < deepest && looked < mostParts) for (const branch of branches) read(branch, depth + 1);
  };
  read(views.root, 0);
  return { folded, isMap };
}

/** Unions in unions, at most: a schema may contain itself. */
const deepest = 4;
/** Branches that are looked at, about. */
const mostParts = 1_000;
