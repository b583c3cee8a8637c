// The public names of toolmend/repair: interpretation by bare schemas, without registries,
// providers and decorators.
export { interpretArguments, type ArgumentInput, type RepairOptions } from './bare-schema.ts';
export { argumentsText } from './interpretation.ts';
export type { Accepted, Interpretation, MetaValues, Note, Rejected } from './interpretation.ts';
export {
  CallReader,
  readCalls,
  type CallInText,
  type CallLeftInText,
  type CallsInText,
  type NamedTool,
  type ReadCallsOptions,
  type ToolsByName,
} from './read-calls.ts';
export { ToolCallCollector, type ToolCallDelta } from './tool-call-collector.ts';
export { type PartialArguments, partialArguments } from './partial-arguments.ts';
export type { PartialCall, PartialListener } from './partial-calls.ts';
export { CallMemory } from './call-memory.ts';
export { DefinitionError, type DefinitionProblem } from '../errors/definition-error.ts';
export { ToolmendError } from '../errors/errors.ts';
export type { Issue } from '../messages/issue.ts';
export type { Operation, RepairRecord } from '../repair/repair-rule.ts';
export { defineRule, type FailingValue, type OwnProposal, type OwnRule } from '../tool/own-rule.ts';
export type { RuleChoice, RuleId } from '../tool/rule-choice.ts';
export type { FromSchema } from '../schema/from-schema-type.ts';
export type { OutputOf, StandardSchema } from '../schema/input-schema.ts';
export type { ToJsonSchema } from '../schema/schema-libraries.ts';
export type { SchemaWarning, WarningListener } from '../telemetry/tool-event.ts';
