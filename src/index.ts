// The public names of toolmend, one by one.
export { interpretArguments, type ArgumentOptions } from './interpret/interpret-arguments.ts';
export type { ArgumentInput, RepairOptions } from './interpret/bare-schema.ts';
export { argumentsText } from './interpret/interpretation.ts';
export { interpret, type InterpretOptions } from './interpret/interpret-arguments.ts';
export type {
  Accepted,
  Interpretation,
  MetaValues,
  Note,
  Rejected,
} from './interpret/interpretation.ts';
export type { SentArguments, ToolCall } from './providers/tool-call.ts';
export { ToolCallCollector } from './interpret/tool-call-collector.ts';
export type { ToolCallDelta } from './interpret/tool-call-collector.ts';
export {
  CallReader,
  readCalls,
  type CallInText,
  type CallsInText,
  type NamedTool,
  type ReadCallsOptions,
  type ToolsByName,
} from './notations/read-calls.ts';
export { CallMemory } from './interpret/call-memory.ts';
export type { CallRecord } from './interpret/records.ts';
export { fromRecord } from './interpret/records.ts';
export type { HistoryCall } from './interpret/records.ts';
export { toRecord, type AcceptedToolCall } from './interpret/records.ts';
export type { Issue } from './messages/issue.ts';
export type { Operation, RepairRecord } from './repair/repair-rule.ts';
export { defineRule, type FailingValue, type OwnProposal, type OwnRule } from './tool/own-rule.ts';
export type { RuleChoice, RuleId } from './tool/rule-choice.ts';
export type { FromSchema } from './schema/from-schema-type.ts';
export type { ToolContract } from './tool/tool-contract.ts';
export { DefinitionError, type DefinitionProblem } from './errors/definition-error.ts';
export { RecordError } from './errors/errors.ts';
export { ToolmendError } from './errors/errors.ts';
export { Alias } from './decorators/field-decorators.ts';
export { ArrayOf } from './decorators/field-decorators.ts';
export { Check, type CheckMethod } from './decorators/tool-decorators.ts';
export { Contract } from './decorators/tool-decorators.ts';
export { Default } from './decorators/field-decorators.ts';
export { Describe } from './decorators/field-decorators.ts';
export { EnumOf } from './decorators/field-decorators.ts';
export { enumOf, type EnumLike } from './decorators/types.ts';
export { Example } from './decorators/tool-decorators.ts';
export { anyJson, dateOnly, integer, schemaOf, type FieldType } from './decorators/types.ts';
export type { FieldDecorator, MemberOf, TypeOf, ValueOf, ValuesOf } from './decorators/types.ts';
export { arrayOf, nullable, oneOf, recordOf, tupleOf, unionOf } from './decorators/types.ts';
export { Field, type FieldOptions } from './decorators/field-decorators.ts';
export { FromContext } from './decorators/field-decorators.ts';
export { IdempotencyKey } from './decorators/field-decorators.ts';
export { Nested } from './decorators/field-decorators.ts';
export { Nullable } from './decorators/field-decorators.ts';
export { Optional } from './decorators/field-decorators.ts';
export { OneOf } from './decorators/field-decorators.ts';
export { PairedDefault } from './decorators/field-decorators.ts';
export { PathField } from './decorators/field-decorators.ts';
export { RecordOf } from './decorators/field-decorators.ts';
export { Secret } from './decorators/field-decorators.ts';
export { ToolMethod } from './decorators/tool-decorators.ts';
export type {
  Background,
  Concurrency,
  ToolAnnotations,
  ToolOptions,
} from './tool/tool-contract.ts';
export { Tool, type ToolClass } from './decorators/tool-decorators.ts';
export { TupleOf } from './decorators/field-decorators.ts';
export { Verbatim } from './decorators/field-decorators.ts';
export { contractOf, contractsOf } from './registry/register.ts';
export { ToolFailure, ToolRetry } from './errors/errors.ts';
export { defineTool } from './registry/define-tool.ts';
export type { DefinedTool, ToolDefinition } from './registry/define-tool.ts';
export { standardSchema, type StandardSchemaOptions } from './registry/standard-schema.ts';
export type { ArgumentsOf, SchemaIssue, ToolSchema } from './registry/standard-schema.ts';
export { answerSchema, parseAs } from './answers/parse-as.ts';
export type { Parsed, ParsedAnswer, ParseOptions, RejectedAnswer } from './answers/parse-as.ts';
export { withPrefix } from './registry/select-tools.ts';
export type { ToolSelection } from './registry/select-tools.ts';
export { type ResultPages, type ResultPagesOptions, resultPages } from './registry/result-pages.ts';
export { ToolRegistry } from './registry/tool-registry.ts';
export { contractDigest } from './execute/digests.ts';
export type { Pins } from './registry/interpret-call.ts';
export type {
  DoubtDecision,
  RegularResumeOptions,
  ResumeOptions,
  ResumeReport,
  SettleOptions,
} from './registry/journal/resume.ts';
export type { RegistryOptions } from './registry/registry-options.ts';
export type { RegisteredTool } from './registry/register.ts';
export type { CallOptions } from './registry/call-options.ts';
export type {
  BackgroundCalls,
  BackgroundOptions,
  BackgroundScope,
} from './registry/background/background-calls.ts';
export type { ToolWorker, WorkerOptions } from './registry/background/worker.ts';
export type { BackgroundCall, EndedCall, RunningCall } from './execute/background-call.ts';
export type { ApprovalDecision } from './registry/approve.ts';
export type { ApprovableCall, ApprovalOptions } from './registry/approve.ts';
export type { InterceptedCall, Interceptor, Next } from './registry/intercept.ts';
export type { KnownTool, ResultOf, ToolSet } from './registry/tool-set.ts';
export type { PendingApproval } from './execute/approval.ts';
export type {
  Denied,
  ApprovalRequired,
  InBackground,
  WithheldOutcome,
} from './execute/tool-outcome.ts';
export type { AcceptedCall, InterpretedCall } from './registry/interpret-call.ts';
export { toolMessage, type ToolMessage } from './execute/tool-outcome.ts';
export type { ToolContext } from './execute/tool-context.ts';
export { type TimeLimit, TimeLimitError } from './execute/run-until-ended.ts';
export { ToolResult, type ResultImage } from './execute/tool-result.ts';
export { ToolRun, type ToolRunOptions } from './execute/tool-run.ts';
export type { CallLoad } from './execute/concurrency.ts';
export type { CreateInstance, Invocation, InvokeMethod } from './execute/execute-tool.ts';
export type { ResultContent } from './execute/tool-result.ts';
export type {
  AcceptedOutcome,
  Cancelled,
  Completed,
  ExecutedOutcome,
  Failed,
  LimitExceeded,
  InvalidArguments,
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
  ToolInputInvalid,
  ToolInputRepaired,
  ToolWithheld,
} from './telemetry/tool-event.ts';
export type { SchemaWarning, WarningListener } from './telemetry/tool-event.ts';
export type {
  CallTelemetry,
  ObservedCall,
  ObservedContent,
  ObservedEnd,
} from './telemetry/tool-event.ts';
export type { ToolListener } from './telemetry/tool-event.ts';
export type { Finding } from './providers/check-tools.ts';
export type { ProviderName, ProviderTools } from './providers/providers.ts';
export type { AnthropicStrictTool, AnthropicTool } from './providers/anthropic.ts';
export type { BedrockDocument, BedrockTool } from './providers/bedrock.ts';
export type { GeminiOpenApiTool, GeminiTool } from './providers/gemini.ts';
export type { McpTool } from './providers/mcp.ts';
export type { MistralTool } from './providers/mistral.ts';
export type { OllamaParameters, OllamaProperty, OllamaTool } from './providers/ollama.ts';
export type { OpenAiChatTool, OpenAiResponsesTool } from './providers/openai.ts';
export type { HintOptions } from './messages/describe-tool.ts';
export type { NeutralTool } from './providers/providers.ts';
export type { Validator, SchemaFailure, CreateValidator } from './tool/tool-contract.ts';
export { requireMeta, standardMetaArguments, type StandardMeta } from './tool/meta-arguments.ts';
export { metaFields, type MetaSchemas } from './classes/from-class.ts';
export type {
  ApplicationContext,
  Constructor,
  Effects,
  MetaArgument,
  OnUnusableSchema,
  RepairLevel,
  StrictOptions,
} from './tool/tool-contract.ts';
export type { OutputOf, StandardSchema } from './schema/input-schema.ts';
export type { ToJsonSchema } from './schema/schema-libraries.ts';
export type { JsonSchema, SchemaObject } from './schema/json-schema.ts';
export type { JsonArray, JsonObject, JsonPrimitive, JsonValue } from './json/value.ts';
