// What does an author write of a tool without a class?
import type { SchemaJudge } from '../../contract/schema-judge.ts';
import type {
  ApplicationContext,
  Effects,
  OnUnusableSchema,
  RepairLevel,
  StrictReadings,
} from '../../contract/tool-contract.ts';
import type { ToolContext } from '../../execute/tool-context.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { DeclaredExecution } from '../../metadata/declared-execution.ts';

/**
 * `Values` is what the author says the schema accepts, `Meta` the meta arguments; the schemas are judged by, not the
 * types.
 */
export interface ToolDefinition<
  Values extends object = JsonObject,
  Meta extends object = ToolContext['meta'],
> extends DeclaredExecution<Values> {
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** JSON Schema, draft-07 or 2020-12, of an object. Copied; never written to. */
  readonly inputSchema: SchemaObject;
  readonly effects?: Effects;
  /** Default: `lossless` for a destructive tool, else `all`. */
  readonly repair?: RepairLevel;
  /** Default `refuse`: undeclared keys are as the schema says. */
  readonly unknownArguments?: 'refuse' | 'drop';
  /** Default: paths by tag and by name, and misspelt keys, are failures. */
  readonly strict?: Partial<StrictReadings>;
  /** Sentences for the model, after the description. */
  readonly hints?: readonly string[];
  /** Whether `ToolRegistry.select` takes the tool for this context. Default: it does. */
  readonly enabled?: (values: ApplicationContext) => boolean;
  /** Selections don't show the tool from the start; models find it by a search tool. Default: it is shown. */
  readonly deferred?: boolean;
  /** Milliseconds a call may take. Default: the registry's. */
  readonly timeLimit?: number;
  /** What judges by the schema. Default: the registry's, and without it Ajv. */
  readonly judge?: SchemaJudge;
  /**
   * What becomes of a schema that can't be compiled or refers outside itself: an error when the tool is registered, or
   * calls that are passed on unjudged, with one warning. Default: `refuse`.
   */
  readonly onUnusableSchema?: OnUnusableSchema;
  /**
   * Gets a copy of the accepted arguments, with the defaults of absent properties; returns the result.
   * The model reads of an exception only if it is a `ToolRetry` or a `ToolFailure`.
   */
  execute(values: Values, context: ToolContext<Meta>): unknown;
}
