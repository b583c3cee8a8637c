import {
  type OptionKind,
  type OptionKinds,
  any,
  boolean,
  callback,
  kindWithHint,
  list,
  milliseconds,
  object,
  oneOfWords,
  required,
  string,
} from '../options/check-options.ts';
import { ownRulesKind } from './own-rule.ts';
import { providerOptionsKind } from './provider-options.ts';
import { ruleChoiceKinds } from './rule-choice.ts';
import type { Dispatch, StrictOptions } from './tool-contract.ts';

const strictKinds: OptionKinds<StrictOptions> = {
  paths: oneOfWords('off', 'declared', 'names'),
  spellings: boolean,
};

const dispatchKinds: OptionKinds<Dispatch> = {
  name: required(kindWithHint(string, 'write the argument that has the name of a tool')),
  arguments: required(kindWithHint(string, 'write the argument that has the arguments for it')),
  tools: list(any),
};

/**
 * The kinds of the options that a tool has for the interpretation of its calls, whether or not it
 * runs here.
 */
export const contractKinds = {
  name: string,
  effects: oneOfWords('read', 'write', 'destructive'),
  repair: oneOfWords('all', 'lossless', 'off'),
  rules: object(ruleChoiceKinds, 'write an object such as { wrap_in_array: false }'),
  ownRules: ownRulesKind,
  unknownArguments: oneOfWords('reject', 'strip'),
  strict: object(strictKinds, 'write an object of paths and spellings'),
  hints: list(kindWithHint(string, 'write a sentence'), 'write an array of sentences'),
  enabled: callback('write enabled: (values) => …'),
  deferred: boolean,
  providerOptions: providerOptionsKind,
  dispatches: object(dispatchKinds, "write { name: 'tool_name', arguments: 'parameters' }"),
  timeoutMs: milliseconds,
  maxTimeoutMs: milliseconds,
} satisfies Readonly<Record<string, OptionKind>>;

export const onUnusableSchemaKind = oneOfWords('refuse', 'warn');
