// The names of the entry `toolmend/testing`, one by one.
export { brokenCalls, type BrokenToolCall, type CallChoice, validCalls } from './generate.ts';
export { mistakeKinds } from './generate.ts';
export { type OutcomeMatchers, outcomeMatchers } from './outcome-matchers.ts';
export { playScript, type ScriptedTools } from './play-script.ts';
export {
  ScriptedModel,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedTurn,
} from './scripted-model.ts';
