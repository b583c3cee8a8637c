import {
  type OptionKinds,
  anyObject,
  boolean,
  callback,
  count,
  either,
  hinted,
  list,
  milliseconds,
  object,
  oneOf,
  required,
  string,
} from '../errors/check-options.ts';
import type { Concurrency, StrictReadings } from './tool-contract.ts';

const strictKinds: OptionKinds<StrictReadings> = {
  paths: oneOf('off', 'declared', 'names'),
  spellings: boolean,
};

const lockKinds: OptionKinds<Extract<Concurrency, object>> = {
  key: required(callback('write a function that returns the lock, (values) => …')),
};

/** The kinds of a tool's options, wherever they are written: for a class, a method, a definition or a remote tool. */
export const toolKinds = {
  name: string,
  title: string,
  description: string,
  effects: oneOf('read', 'write', 'destructive'),
  repair: oneOf('all', 'lossless'),
  unknownArguments: oneOf('reject', 'strip'),
  strict: object(strictKinds, 'write an object of paths and spellings'),
  hints: list(hinted(string, 'write a sentence'), 'write an array of sentences'),
  enabled: callback('write enabled: (values) => …'),
  deferred: boolean,
  timeoutMs: milliseconds,
  concurrency: either(
    "write 'parallel', 'exclusive' or { key: (values) => … }",
    oneOf('parallel', 'exclusive'),
    object(lockKinds),
  ),
  callLimit: count(1),
  retryLimit: count(0),
  // A page of fewer characters would hold little but the note that there are more.
  maxResultChars: count(100),
  returnDirect: boolean,
  outputSchema: either(
    "write { type: 'object', properties: { … } }, or a class with decorated fields",
    anyObject(''),
    callback(''),
  ),
  onUnusableSchema: oneOf('refuse', 'warn'),
};
