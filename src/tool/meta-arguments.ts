import { foldKey } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { SchemaViews } from '../schema/schema-view.ts';
import { contractFromSchema } from './from-schema.ts';
import type { MetaArgument, ToolContract } from './tool-contract.ts';

// By one of its own, for each tool.
const contracts = new WeakMap<ToolContract, Map<MetaArgument, ToolContract>>();

/** Of an object that has the value under its name; validated and repaired as far as the tool's own arguments are. */
export function contractOfMeta(contract: ToolContract, argument: MetaArgument): ToolContract {
  const known = contracts.get(contract) ?? new Map<MetaArgument, ToolContract>();
  contracts.set(contract, known);
  const found = known.get(argument) ?? makeContract(contract, argument);
  known.set(argument, found);
  return found;
}

function makeContract({ name, repair, validator }: ToolContract, argument: MetaArgument): ToolContract {
  const properties = { [argument.name]: argument.schema };
  const required = [argument.name];
  const inputSchema = { type: 'object', properties, required, additionalProperties: false } as const;
  const made = contractFromSchema({
    name,
    repair,
    inputSchema,
    ...(validator === undefined ? {} : { validator }),
  });
  return argument.check === undefined ? made : Object.freeze({ ...made, check: argument.check });
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
