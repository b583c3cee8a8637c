import * as accept from '../options/check-options.ts';
import { type OptionKind, type OptionKinds } from '../options/check-options.ts';
import { ownRulesKind } from './own-rule.ts';
import { ruleChoiceKinds } from './rule-choice.ts';
import type { StrictOptions } from './tool-contract.ts';

const strictKinds: OptionKinds<StrictOptions> = {
  paths: accept.oneOf('off', 'declared', 'names'),
  spellings: accept.boolean,
};

/**
 * The kinds of the options that a tool has for the interpretation of its calls, whether or not it
 * runs here.
 */
export const contractKinds = {
  name: accept.string,
  effects: accept.oneOf('read', 'write', 'destructive'),
  repair: accept.oneOf('all', 'lossless', 'off'),
  rules: accept.object(ruleChoiceKinds, 'write an object such as { wrap_in_array: false }'),
  ownRules: ownRulesKind,
  unknownArguments: accept.oneOf('reject', 'strip'),
  strict: accept.object(strictKinds, 'write an object of paths and spellings'),
  hints: accept.list(
    accept.hinted(accept.string, 'write a sentence'),
    'write an array of sentences',
  ),
  enabled: accept.callback('write enabled: (values) => …'),
  deferred: accept.boolean,
  timeoutMs: accept.milliseconds,
  maxTimeoutMs: accept.milliseconds,
} satisfies Readonly<Record<string, OptionKind>>;

export const onUnusableSchemaKind = accept.oneOf('refuse', 'warn');
