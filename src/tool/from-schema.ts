import { DefinitionError } from '../errors/definition-error.ts';
import { freezeDeep } from '../json/value.ts';
import { exceededLimit } from '../schema/drafts.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { schemaMistake } from '../schema/not-a-schema.ts';
import { isRequiredIn, withoutMeta } from './meta-schema.ts';
import type {
  Effects,
  ExecutionFacts,
  MetaArgument,
  OnUnusableSchema,
  RepairLevel,
  CreateValidator,
  StrictReadings,
  ToolBinding,
  ToolContract,
} from './tool-contract.ts';

/** What a tool's author or its server says of it. */
export interface SchemaDefinition {
  /** Absent: messages say `tool`, and a name in a call's markup is not compared. */
  readonly name?: string;
  readonly description?: string;
  /** JSON Schema, draft-07 or 2020-12, of an object. Copied; never written to. */
  readonly inputSchema: SchemaObject;
  readonly effects?: Effects;
  /** Default: `lossless` for a destructive tool, else `all`. */
  readonly repair?: RepairLevel;
  /** Default `refuse`: undeclared keys are as the schema says. */
  readonly unknownArguments?: 'reject' | 'strip';
  /** Default: paths by tag and by name, and misspelt keys, are failures. */
  readonly strict?: Partial<StrictReadings>;
  readonly meta?: readonly MetaArgument[];
  readonly hints?: readonly string[];
  /** Milliseconds. */
  readonly timeoutMs?: number;
  readonly enabled?: NonNullable<ToolContract['enabled']>;
  readonly deferred?: true;
  readonly execution?: ExecutionFacts;
  /** Default: Ajv. */
  readonly validator?: CreateValidator;
  /** What becomes of a schema that can't be compiled or refers outside itself. Default: `refuse`. */
  readonly onUnusableSchema?: OnUnusableSchema;
  readonly binding?: ToolBinding;
}

const unknownName = 'tool';
const noBinding: ToolBinding = { kind: 'none' };

/** A frozen contract; throws a DefinitionError for anything but the JSON Schema of an object. */
export function contractFromSchema(definition: SchemaDefinition): ToolContract {
  const { effects, timeoutMs, execution, validator, onUnusableSchema, meta = [] } = definition;
  refuseMistakes(definition);
  const unusable = exceededLimit(definition.inputSchema);
  const schema = unusable === undefined ? objectSchema(definition) : anyObject(definition, unusable);
  const strict: StrictReadings = { paths: 'names', spellings: true, ...definition.strict };
  return Object.freeze({
    name: definition.name ?? unknownName,
    ...(definition.name === undefined ? { isUnnamed: true as const } : {}),
    description: definition.description ?? '',
    hints: Object.freeze([...(definition.hints ?? [])]),
    inputSchema: freezeDeep(structuredClone(withoutMeta(schema, meta))),
    ...(effects === undefined ? {} : { effects }),
    repair: definition.repair ?? (effects === 'destructive' ? 'lossless' : 'all'),
    unknownArguments: definition.unknownArguments ?? 'reject',
    strict: Object.freeze(strict),
    meta: freezeDeep(
      meta.map((argument) => ({
        ...argument,
        isRequired: argument.isRequired || isRequiredIn(schema, argument.key),
      })),
    ),
    contextFields: Object.freeze([]),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(definition.enabled === undefined ? {} : { enabled: definition.enabled }),
    ...(definition.deferred === undefined ? {} : { deferred: definition.deferred }),
    ...(execution === undefined ? {} : { execution }),
    ...(validator === undefined ? {} : { validator }),
    ...(onUnusableSchema === undefined ? {} : { onUnusableSchema }),
    ...(unusable === undefined ? {} : { unusable }),
    binding: definition.binding ?? noBinding,
  });
}

/** Such an object would be a schema that accepts everything. */
function refuseMistakes({ name, inputSchema }: SchemaDefinition): void {
  const mistake = schemaMistake(inputSchema);
  if (mistake === undefined) return;
  const { what, instead } = mistake;
  throw new DefinitionError([
    { where: name ?? unknownName, what: `has an input schema that ${what}`, instead },
  ]);
}

/** What stands for a schema that is too large to be looked at. */
function anyObject({ name, onUnusableSchema }: SchemaDefinition, unusable: string): SchemaObject {
  if (onUnusableSchema === 'warn') return { type: 'object' };
  const what = `has an input schema that ${unusable}`;
  throw new DefinitionError([{ where: name ?? unknownName, what, instead: 'write a smaller one' }]);
}

function objectSchema({ name, inputSchema }: SchemaDefinition): SchemaObject {
  const isObject = typeof inputSchema === 'object' && inputSchema !== null && !Array.isArray(inputSchema);
  if (isObject && (inputSchema.type === undefined || [inputSchema.type].flat().includes('object')))
    return inputSchema;
  throw new DefinitionError([
    {
      where: name ?? unknownName,
      what: 'has an input schema that is no object schema',
      instead: "write { type: 'object', properties: { … } }",
    },
  ]);
}
