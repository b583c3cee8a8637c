import { type OptionKinds, callback, checkOptions } from '../errors/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { ToolmendError } from '../errors/errors.ts';
import { applyDefaults } from '../execute/execute-tool.ts';
import { interpretChecked } from '../interpret/interpret.ts';
import type { Interpretation, Rejected } from '../interpret/interpretation.ts';
import { pointerKeys } from '../json/json-pointer.ts';
import type { JsonObject } from '../json/value.ts';
import { describeTool } from '../messages/describe-tool.ts';
import { type Issue, isInternalError } from '../messages/issue.ts';
import { issueText, rejectionParts } from '../messages/rejection-message.ts';
import type { SchemaChange } from '../providers/provider-rules.ts';
import { type ProviderName, argumentMapping, providerKind, providers } from '../providers/providers.ts';
import { transformTool } from '../providers/transform-tool.ts';
import { type SchemaObject, mapSubschemas } from '../schema/json-schema.ts';
import { tell } from '../telemetry/tool-event.ts';
import type { Constructor, ToolContract } from '../tool/tool-contract.ts';
import { validatorOf, viewsOf } from '../validate/validator.ts';
import { contractOf } from './contract-of.ts';

// The shapes are those of https://standardschema.dev, written out so that nobody needs a package for them.
/** The fields of a `@Tool` class, without its methods; of a tool that is a contract, any JSON object. */
export type ArgumentsOf<Tool> =
  Tool extends Constructor<infer Instance>
    ? {
        [
          Key in keyof Instance as Instance[Key] extends (...parameters: never[]) => unknown ? never : Key
        ]: Instance[Key];
      }
    : JsonObject;

/** A Standard Schema and Standard JSON Schema of a tool's arguments; frozen. */
export interface ToolSchema<Arguments extends object = JsonObject> {
  readonly name: string;
  /** As models read it. */
  readonly description: string;
  readonly '~standard': StandardToolSchema<Arguments>;
}

export interface StandardToolSchema<Arguments extends object> {
  readonly version: 1;
  readonly vendor: 'toolmend';
  /** For the compiler alone; never there. */
  readonly types?: { readonly input: Arguments; readonly output: Arguments };
  /** Synchronous. Repairs as any call of the tool is repaired; the value sent is never written to. */
  readonly validate: (value: unknown) => ValidatedArguments<Arguments>;
  readonly jsonSchema: {
    /** What a model is shown, as a new object. Throws a ToolmendError for another target than `draft-2020-12` and `draft-07`. */
    readonly input: (options: SchemaTarget) => Record<string, unknown>;
    /** Of what `validate` gives. Throws as `input` does. */
    readonly output: (options: SchemaTarget) => Record<string, unknown>;
  };
}

export interface SchemaTarget {
  readonly target: string;
}

export type ValidatedArguments<Arguments extends object> =
  { readonly value: Arguments; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong, or, at the end of the list and without a path, what to send instead. */
export interface SchemaIssue {
  readonly message: string;
  /** Indexes of lists are numbers. */
  readonly path?: readonly (string | number)[];
}

// One issue a place, and in the last one what to send instead.
const mostIssues = 8;

/** What was sent, and the form that was shown. */
interface SentForm {
  readonly provider: Parameters<typeof argumentMapping>[1];
  /** Tells the indexes of lists from the keys of objects. */
  readonly sent: unknown;
}

function schemaIssues(
  contract: ToolContract,
  rejected: Rejected,
  { sent, provider }: SentForm,
): readonly SchemaIssue[] {
  if (isInternalError(rejected.issues)) return [{ message: rejected.message, path: [] }];
  const { issues, advice } = rejectionParts(validatorOf(contract), rejected, {
    shown: argumentMapping(contract, provider),
  });
  return [
    ...issues.slice(0, mostIssues).map((issue) => ({ message: issueText(issue), path: pathOf(issue, sent) })),
    { message: advice },
  ];
}

function pathOf({ path, key, keyword }: Issue, sent: unknown): readonly (string | number)[] {
  const keys = pointerKeys(path);
  const all = key === undefined || keyword === 'meta' ? keys : [...keys, key];
  let here: unknown = sent;
  return all.map((name) => {
    const isIndex = Array.isArray(here) && /^\d+$/.test(name);
    here = typeof here === 'object' && here !== null ? memberOf(here, name) : undefined;
    return isIndex ? Number(name) : name;
  });
}

/** Runs no code of the value's own. */
const memberOf = (value: object, key: string): unknown => Object.getOwnPropertyDescriptor(value, key)?.value;

// It is interpreted as a call of the tool is.
/** What whoever made the schema wants to know. */
export type TellInterpretation = (interpretation: Interpretation) => unknown;

/** Throws a DefinitionError for a schema that nobody can validate against, before it is asked. */
function argumentValidator(
  contract: ToolContract,
  provider: ProviderName,
  told: TellInterpretation,
): (value: unknown) => ValidatedArguments<JsonObject> {
  validatorOf(contract);
  return (value) => {
    // A value that is text is no argument text: it is a root of the wrong type.
    const sent = typeof value === 'string' ? JSON.stringify(value) : value;
    const interpretation = interpretChecked(contract, { arguments: sent }, { provider });
    told(interpretation);
    return interpretation.status === 'rejected'
      ? { issues: schemaIssues(contract, interpretation, { sent: value, provider }) }
      : { value: applyDefaults(viewsOf(contract), interpretation.value) };
  };
}

// In 2020-12 as it is; in draft-07 without the keywords that it lacks.
/** A copy that may be written to: some who ask for it do. Throws a ToolmendError for another target. */
function schemaFor(target: string, schema: SchemaObject): Record<string, unknown> {
  if (target === 'draft-2020-12') return structuredClone({ ...schema });
  if (target === 'draft-07') return structuredClone({ ...toDraft7(schema) });
  throw new ToolmendError(
    'schema-target',
    `There is no JSON Schema for ${JSON.stringify(target)}: ask for draft-2020-12 or draft-07.`,
  );
}

/** https://json-schema.org/draft/2020-12/release-notes; `$defs` stays: `$ref` finds it there. */
function toDraft7(schema: SchemaObject): SchemaObject {
  const { prefixItems, items, dependentRequired, dependentSchemas, ...rest } = mapSubschemas(
    schema,
    toDraft7,
  );
  const named = [dependentRequired, dependentSchemas].flatMap((by) => Object.entries(toObject(by)));
  const entries: (readonly [string, unknown])[] = [
    ['items', prefixItems ?? items],
    ['additionalItems', prefixItems === undefined ? undefined : items],
    ['dependencies', named.length === 0 ? undefined : Object.fromEntries(named)],
  ];
  return { ...rest, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

const toObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** Throws a DefinitionError if the provider's strict mode can't express the tool. */
function schemaIn(contract: ToolContract, provider: ProviderName): SchemaObject {
  const { rules } = providers[provider];
  const { schema, words, changes } = transformTool(contract, rules);
  // Hosts get the schema alone, and would offer it as strict.
  const reasons = changes.filter(({ kind }) => kind === 'not-strict');
  if (reasons.length > 0) throw new DefinitionError(reasons.map((reason) => notStrict(contract, reason)));
  return words.length === 0 ? schema : { ...schema, description: words.join('\n') };
}

const notStrict = ({ name }: ToolContract, { what, pointer }: SchemaChange) => ({
  where: `standardSchema of ${name}`,
  what: `${what}${pointer === '' ? '' : ` at ${pointer}`}, which strict mode can't express`,
  instead: 'change the schema, or ask for a provider without strict mode',
});

export interface StandardSchemaOptions {
  /** In which form the JSON Schema is; what comes back is read in the same. Default: `neutral`. */
  readonly provider?: ProviderName;
  /**
   * Told of each call that is validated: what was repaired, notes for the model, meta arguments, the whole message. What it
   * throws is dropped.
   */
  readonly onInterpretation?: TellInterpretation;
}

const standardSchemaKinds: OptionKinds<StandardSchemaOptions> = {
  provider: providerKind,
  onInterpretation: callback('write a function that takes an interpretation'),
};

/**
 * A tool's arguments as a Standard Schema: `validate` is synchronous, repairs, and gives a copy of the arguments with the
 * defaults of what is absent. Throws a DefinitionError for a class that is no tool or has its tools on methods, for a
 * schema that nobody can validate against, and for an unknown provider.
 */
export function standardSchema<Tool extends Constructor | ToolContract>(
  tool: Tool,
  options?: StandardSchemaOptions,
): ToolSchema<ArgumentsOf<Tool>>;
export function standardSchema(
  tool: Constructor | ToolContract,
  options: StandardSchemaOptions = {},
): ToolSchema {
  checkOptions('standardSchema', options, standardSchemaKinds);
  const { provider = 'neutral', onInterpretation } = options;
  const contract = typeof tool === 'function' ? contractOf(tool) : tool;
  const shown = schemaIn(contract, provider);
  const own = provider === 'neutral' ? shown : schemaIn(contract, 'neutral');
  return Object.freeze({
    name: contract.name,
    description: describeTool(contract),
    '~standard': Object.freeze({
      version: 1,
      vendor: 'toolmend',
      validate: argumentValidator(contract, provider, (interpretation) =>
        tell(() => onInterpretation?.(interpretation)),
      ),
      jsonSchema: Object.freeze({
        input: ({ target }: SchemaTarget) => schemaFor(target, shown),
        output: ({ target }: SchemaTarget) => schemaFor(target, own),
      }),
    }),
  } satisfies ToolSchema);
}
