// The public names of toolmend/testing.
export {
  brokenCalls,
  type BrokenToolCall,
  type CallChoice,
  faultKinds,
  validCalls,
} from './generate.ts';
export { type OutcomeMatchers, outcomeMatchers } from './outcome-matchers.ts';
export {
  playScript,
  ScriptedModel,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedTools,
  type ScriptedTurn,
} from './scripted-model.ts';
export { notations, writeCall } from './scripted-model.ts';
