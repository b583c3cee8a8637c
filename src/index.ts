// The public names of toolmend, one by one.
export {
  interpretArguments,
  type ArgumentInput,
  type ArgumentOptions,
} from './interpret/interpret-arguments.ts';
export { argumentsText } from './interpret/arguments-text.ts';
export { interpret, type InterpretOptions } from './interpret/interpret.ts';
export type { Accepted, Interpretation, MetaValues, Note, Rejected } from './interpret/interpretation.ts';
export type { SentArguments, ToolCall } from './interpret/tool-call.ts';
export { ToolCallCollector } from './interpret/streaming/tool-call-collector.ts';
export type { ToolCallDelta } from './interpret/streaming/tool-call-delta.ts';
export { CallMemory } from './interpret/repetition/call-memory.ts';
export type { CallRecord } from './interpret/records/call-record.ts';
export { fromRecord } from './interpret/records/from-record.ts';
export type { HistoryCall } from './interpret/records/history-call.ts';
export { toRecord, type AcceptedToolCall } from './interpret/records/to-record.ts';
export type { Issue } from './issues/issue.ts';
export type { Operation, RepairRecord } from './repair/repair-record.ts';
export type { ToolContract } from './contract/tool-contract.ts';
export { DefinitionError, type Complaint } from './errors/definition-error.ts';
export { RecordError } from './errors/record-error.ts';
export { ToolmendError } from './errors/toolmend-error.ts';
export { Alias } from './decorators/alias.decorator.ts';
export { ArrayOf } from './decorators/array-of.decorator.ts';
export { Check, type CheckMethod } from './decorators/check.decorator.ts';
export { Contract } from './decorators/contract.decorator.ts';
export { Default } from './decorators/default.decorator.ts';
export { Describe } from './decorators/describe.decorator.ts';
export { EnumOf } from './decorators/enum-of.decorator.ts';
export { enumOf, type EnumLike } from './decorators/enum-type.ts';
export { Example } from './decorators/example.decorator.ts';
export { integer, type FieldType } from './decorators/field-type.ts';
export { arrayOf, nullable, oneOf, recordOf, tupleOf, unionOf } from './decorators/field-types.ts';
export { Field, type FieldOptions } from './decorators/field.decorator.ts';
export { FromContext } from './decorators/from-context.decorator.ts';
export { Nested } from './decorators/nested.decorator.ts';
export { Nullable } from './decorators/nullable.decorator.ts';
export { OneOf } from './decorators/one-of.decorator.ts';
export { PairedDefault } from './decorators/paired-default.decorator.ts';
export { PathField } from './decorators/path-field.decorator.ts';
export { RecordOf } from './decorators/record-of.decorator.ts';
export { Secret } from './decorators/secret.decorator.ts';
export { ToolMethod } from './decorators/tool-method.decorator.ts';
export type { Concurrency } from './metadata/declared-execution.ts';
export { Tool, type ToolOptions } from './decorators/tool.decorator.ts';
export { TupleOf } from './decorators/tuple-of.decorator.ts';
export { Verbatim } from './decorators/verbatim.decorator.ts';
export { contractOf, contractsOf } from './registry/contract-of.ts';
export { ToolFailure, ToolRetry } from './errors/tool-signals.ts';
export { defineTool } from './registry/define-tool.ts';
export type { ToolDefinition } from './registry/registration/tool-definition.ts';
export { standardSchema, type StandardSchemaOptions } from './registry/standard-schema/standard-schema.ts';
export type { ArgumentsOf, SchemaIssue, ToolSchema } from './registry/standard-schema/tool-schema.ts';
export { withPrefix } from './registry/select/prefixed-tools.ts';
export type { ToolSelection } from './registry/select/tool-selection.ts';
export { ToolRegistry } from './registry/tool-registry.ts';
export { contractDigest } from './contract/contract-digest.ts';
export type { Pins } from './registry/trusted-definitions.ts';
export type { RegistryOptions } from './registry/registry-options.ts';
export type { RegisteredTool } from './registry/registration/read-registration.ts';
export type { CallOptions } from './registry/running/call-options.ts';
export type { ApprovalDecision } from './registry/approve/approval-decision.ts';
export type { ApprovableCall, ApprovalOptions } from './registry/approve/approval-setting.ts';
export type { InterceptedCall, Interceptor, Next } from './registry/intercept/interceptor.ts';
export type { ToolSet } from './registry/tool-set.ts';
export type { PendingApproval } from './execute/approval/pending-approval.ts';
export type { Denied, Waiting, WithheldOutcome } from './execute/withheld-outcome.ts';
export type { AcceptedCall, InterpretedCall } from './registry/interpret-call.ts';
export { toolMessage, type ToolMessage } from './execute/tool-message.ts';
export type { ToolContext } from './execute/tool-context.ts';
export { type TimeLimit, TimeLimitError } from './execute/limits/time-limit.ts';
export { ToolResult, type ResultImage } from './execute/results/tool-result.ts';
export { ToolRun, type ToolRunOptions } from './execute/limits/tool-run.ts';
export type { CallLoad } from './execute/admission/admission.ts';
export type { CreateInstance, Invocation, InvokeMethod } from './execute/call-instances.ts';
export type { ResultContent } from './execute/results/result-content.ts';
export type {
  AcceptedOutcome,
  Cancelled,
  Completed,
  Continued,
  ExecutedOutcome,
  Failed,
  RefusedCall,
  RejectedCall,
  RetryAsked,
  TimedOut,
  ToolOutcome,
  UnknownTool,
} from './execute/tool-outcome.ts';
export { RepairStats, type RepairStatsSnapshot, type ToolStats } from './telemetry/repair-stats.ts';
export type {
  InvalidPlace,
  RepairedPlace,
  ToolCallRefused,
  ToolDefinitionChanged,
  ToolEndedLate,
  ToolError,
  ToolEvent,
  ToolExecuted,
  ToolResultContinued,
  ToolInputInvalid,
  ToolInputRepaired,
  ToolWithheld,
} from './telemetry/tool-event.ts';
export type { SchemaWarning, TellWarning } from './telemetry/schema-warning.ts';
export type {
  CallTelemetry,
  ObservedCall,
  ObservedContent,
  ObservedEnd,
} from './telemetry/call-telemetry.ts';
export type { ToolListener } from './telemetry/tool-listener.ts';
export type { Finding } from './dialects/check-set.ts';
export type { DialectName, Dialects, ProviderDialect, ProviderDialects } from './dialects/dialect-table.ts';
export type { AnthropicStrictTool, AnthropicTool } from './dialects/providers/anthropic-tool.ts';
export type { BedrockDocument, BedrockTool } from './dialects/providers/bedrock-tool.ts';
export type { GeminiOpenApiTool, GeminiTool } from './dialects/providers/gemini-tool.ts';
export type { McpTool } from './dialects/providers/mcp-tool.ts';
export type { MistralTool } from './dialects/providers/mistral-tool.ts';
export type { OllamaParameters, OllamaProperty, OllamaTool } from './dialects/providers/ollama-tool.ts';
export type { OpenAiChatTool, OpenAiResponsesTool } from './dialects/providers/openai-tool.ts';
export type { HintOptions } from './hints/contract-hints.ts';
export type { ShownTool } from './dialects/shown-tool.ts';
export type { RootJudge, SchemaFailure, SchemaJudge } from './contract/schema-judge.ts';
export { standardMetaArguments, type StandardMeta } from './contract/meta/meta-arguments.ts';
export { metaFields, type MetaSchemas, requireMeta } from './contract/meta/meta-fields.ts';
export type {
  ApplicationContext,
  Constructor,
  Effects,
  MetaArgument,
  OnUnusableSchema,
  RepairLevel,
  StrictReadings,
} from './contract/tool-contract.ts';
export type { JsonSchema, SchemaObject } from './json/json-schema.ts';
export type { JsonArray, JsonObject, JsonPrimitive, JsonValue } from './json/json-value.ts';
