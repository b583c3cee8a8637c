// The public names of toolmend, one by one.
export {
  interpretArguments,
  type ArgumentInput,
  type ArgumentOptions,
} from './interpret/interpret-arguments.ts';
export { interpret, type SentArguments } from './interpret/interpret.ts';
export type { Accepted, Interpretation, MetaValues, Note, Rejected } from './interpret/interpretation.ts';
export type { ToolCall } from './interpret/tool-call.ts';
export type { Issue } from './issues/issue.ts';
export type { Operation, RepairRecord } from './repair/repair-record.ts';
export type { ToolContract } from './contract/tool-contract.ts';
export { DefinitionError, type Complaint } from './errors/definition-error.ts';
export { ToolmendError } from './errors/toolmend-error.ts';
