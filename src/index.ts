// The public names of toolmend, by task.

// Write a tool as a class
export {
  Alias,
  ArrayOf,
  Default,
  Describe,
  EnumOf,
  Field,
  FromContext,
  Glob,
  IdempotencyKey,
  LineRange,
  Nested,
  Nullable,
  Optional,
  OneOf,
  PairedDefault,
  PathField,
  RecordOf,
  Secret,
  TupleOf,
  Url,
  Verbatim,
  type FieldOptions,
} from './decorators/field-decorators.ts';
export {
  Check,
  Contract,
  Example,
  ToolMethod,
  Tool,
  type CheckMethod,
  type ToolClass,
} from './decorators/tool-decorators.ts';
export {
  enumOf,
  anyJson,
  dateOnly,
  integer,
  schemaOf,
  arrayOf,
  nullable,
  oneOf,
  recordOf,
  tupleOf,
  unionOf,
  type EnumLike,
  type FieldType,
  type FieldDecorator,
  type MemberOf,
  type TypeOf,
  type ValueOf,
  type ValuesOf,
} from './decorators/types.ts';
export { metaFields, type MetaSchemas } from './classes/from-class.ts';
export type { Constructor } from './tool/tool-contract.ts';

// Write a tool as an object
export type { FromSchema } from './schema/from-schema-type.ts';
export { defineTool, type DefinedTool, type ToolDefinition } from './registry/define-tool.ts';
export { textTool, type TextToolDefinition } from './registry/text-tool.ts';
export type { TextGrammar, UndoCall } from './tool/tool-contract.ts';
export {
  standardSchema,
  type StandardSchemaOptions,
  type ArgumentsOf,
  type SchemaIssue,
  type ToolSchema,
} from './registry/standard-schema.ts';
export type { OutputOf, StandardSchema } from './schema/input-schema.ts';
export type { ToJsonSchema } from './schema/schema-libraries.ts';

// What a tool may say of itself, and what it gets and returns
export type {
  ToolContract,
  Background,
  Concurrency,
  ToolAnnotations,
  ToolOptions,
  ApplicationContext,
  Effects,
  MetaArgument,
  OnUnusableSchema,
  RepairLevel,
  StrictOptions,
} from './tool/tool-contract.ts';
export { QuestionUnanswered, ToolFailure, ToolRetry } from './errors/errors.ts';
export type { ToolContext } from './run/tool-context.ts';
export type { Ask, Question } from './run/questions.ts';
export { TimeLimitError } from './run/run-until-ended.ts';
export type { TimeLimit } from './tool/time-limits.ts';
export {
  ToolResult,
  type EmbeddedFile,
  type FileOptions,
  type LinkedFile,
  type LinkOptions,
  type ResultContent,
  type ResultFile,
  type ResultImage,
} from './outcomes/tool-result.ts';
export type { CreateInstance, Invocation, InvokeMethod } from './run/call-instances.ts';
export type { HintOptions } from './messages/describe-tool.ts';
export { requireMeta, standardMetaArguments, type StandardMeta } from './tool/meta-arguments.ts';

// Register tools and offer them to a model
export { contractOf, contractsOf, type RegisteredTool } from './registry/register.ts';
export { withPrefix, type ToolSelection } from './registry/select-tools.ts';
export { ToolRegistry } from './registry/tool-registry.ts';
export { contractDigest } from './outcomes/digests.ts';
export type { Pins } from './registry/interpret-call.ts';
export type { RegistryHintOptions, RegistryOptions } from './registry/registry-options.ts';
export type { LearnedHint, MissRate } from './learning/hint-report.ts';
export type { LearningMode } from './learning/learned-hints.ts';
export type { Interval } from './learning/intervals.ts';
export type { MissKind } from './messages/miss-sentences.ts';
export type {
  AddedCounts,
  HintCell,
  HintChange,
  HintCount,
  HintCounts,
  Trial,
  TrialState,
} from './store/hint-counts.ts';
export type { InterpretCallOptions, KnownTool, ResultOf, ToolSet } from './registry/tool-set.ts';
export type { Finding } from './providers/check-tools.ts';
export type {
  Cost,
  FieldCost,
  HintCost,
  RepeatedSentence,
  ToolCost,
  ToolCostOptions,
  ToolSetCost,
} from './providers/tool-cost.ts';
export type { ProviderName, ProviderTools, NeutralTool } from './providers/providers.ts';
export type { AnthropicStrictTool, AnthropicTool } from './providers/anthropic.ts';
export type { BedrockDocument, BedrockTool } from './providers/bedrock.ts';
export type { GeminiOpenApiTool, GeminiTool } from './providers/gemini.ts';
export type { McpTool } from './providers/mcp.ts';
export type { MistralTool } from './providers/mistral.ts';
export type { OllamaParameters, OllamaProperty, OllamaTool } from './providers/ollama.ts';
export type { OpenAiChatTool, OpenAiResponsesTool } from './providers/openai.ts';
export type {
  AnthropicCaller,
  AnthropicToolOptions,
  McpToolOptions,
  OpenAiToolOptions,
  ProviderOptions,
  ToolIcon,
} from './tool/provider-options.ts';

// Run calls
export type { ToolCall } from './interpret/tool-call.ts';
export { resultPages, type ResultPages, type ResultPagesOptions } from './registry/result-pages.ts';
export type { CallOptions, Elicit } from './run/call-options.ts';
export type { InterceptedCall, Interceptor, Next } from './run/interceptor.ts';
export {
  toolMessage,
  type Denied,
  type ApprovalRequired,
  type InBackground,
  type InputRequired,
  type WithheldOutcome,
  type ToolMessage,
  type AcceptedOutcome,
  type Cancelled,
  type Completed,
  type ExecutedOutcome,
  type Failed,
  type LimitExceeded,
  type InvalidArguments,
  type RetryAsked,
  type TimedOut,
  type ToolOutcome,
  type UnknownTool,
} from './outcomes/tool-outcome.ts';
export type { AcceptedCall, InterpretedCall } from './run/interpreted-call.ts';
export { ToolRun, type ToolRunOptions } from './run/tool-run.ts';
export type { CallLoad } from './run/concurrency.ts';

// Approve calls, and run them later or elsewhere
export type { RegularResumeOptions, ResumeOptions, ResumeReport } from './background/resume.ts';
export type { DoubtDecision, SettleOptions } from './background/settle-call.ts';
export type { BackgroundCalls, BackgroundScope } from './run/background-calls.ts';
export type { ToolWorker, WorkerOptions } from './background/worker.ts';
export type { BackgroundOptions } from './run/background-options.ts';
export type {
  BackgroundCall,
  EndedCall,
  RunningBackgroundCall,
} from './outcomes/background-call.ts';
/** @deprecated Its name is RunningBackgroundCall. */
export type { RunningBackgroundCall as RunningCall } from './outcomes/background-call.ts';
export type { ApprovableCall, ApprovalOptions } from './run/approval-settings.ts';
export type { ApprovalDecision } from './run/resolve-approval.ts';
export type { PendingApproval } from './outcomes/approval.ts';
export type { PendingQuestion, QuestionAnswer } from './outcomes/question.ts';

// Record calls
export {
  fromRecord,
  toRecord,
  type CallRecord,
  type HistoryCall,
  type AcceptedToolCall,
} from './interpret/records.ts';

// Repair arguments without running a tool
export {
  interpretArguments,
  interpret,
  type ArgumentOptions,
  type InterpretOptions,
} from './interpret/interpret-arguments.ts';
export type { ArgumentInput, RepairOptions } from './interpret/bare-schema.ts';
export {
  argumentsText,
  type Accepted,
  type Interpretation,
  type MetaValues,
  type Note,
  type Rejected,
} from './interpret/interpretation.ts';
export type { SentArguments } from './interpret/tool-call.ts';
export { ToolCallCollector, type ToolCallDelta } from './interpret/tool-call-collector.ts';
export { type PartialArguments, partialArguments } from './interpret/partial-arguments.ts';
export type { PartialCall, PartialListener } from './interpret/partial-calls.ts';
export { CallMemory } from './interpret/call-memory.ts';
export type { Issue } from './messages/issue.ts';
export type { Operation, RepairRecord } from './repair/repair-rule.ts';
export { defineRule, type FailingValue, type OwnProposal, type OwnRule } from './tool/own-rule.ts';
export type { RuleChoice, RuleId } from './tool/rule-choice.ts';

// Read calls out of an answer's text
export {
  CallReader,
  readCalls,
  type CallInText,
  type CallLeftInText,
  type CallsInText,
  type NamedTool,
  type ReadCallsOptions,
  type ToolsByName,
} from './interpret/read-calls.ts';

// Read structured answers
export {
  answerSchema,
  parseAs,
  type Parsed,
  type ParsedAnswer,
  type ParseOptions,
  type RejectedAnswer,
} from './answers/parse-as.ts';

// Observe calls
export { logRepairs, type LogRepairsOptions } from './telemetry/log-repairs.ts';
export {
  RepairStats,
  type RepairStatsOptions,
  type RepairStatsSnapshot,
  type ToolStats,
} from './telemetry/repair-stats.ts';
export type {
  InvalidPlace,
  RepairedPlace,
  ToolCallRefused,
  RunCounts,
  ToolCallInterpreted,
  ToolRunEnded,
  ToolDefinitionChanged,
  ToolEndedLate,
  ToolError,
  ToolEvent,
  ToolExecuted,
  ToolInputInvalid,
  ToolInputRepaired,
  ToolQuestionAsked,
  ToolWithheld,
  SchemaWarning,
  WarningListener,
  CallTelemetry,
  ObservedCall,
  ObservedContent,
  ObservedEnd,
  ToolListener,
} from './telemetry/tool-event.ts';

// Validate with another validator
export type { Validator, SchemaFailure, CreateValidator } from './tool/tool-contract.ts';

// Errors
export { DefinitionError, type DefinitionProblem } from './errors/definition-error.ts';
export { RecordError, ToolmendError } from './errors/errors.ts';

// JSON and JSON Schema
export type { JsonSchema, SchemaObject } from './schema/json-schema.ts';
export type { JsonArray, JsonObject, JsonPrimitive, JsonValue } from './json/value.ts';
