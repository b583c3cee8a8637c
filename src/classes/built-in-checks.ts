// Tells class-validator's own checks from a program's, which may have the same names.
import { attempt } from '../collections/attempt.ts';
import { setNewest } from '../collections/bounded-map.ts';
import { isContainer } from '../collections/objects.ts';
import { loadInstalled } from '../platform/installed-package.ts';
import type { Constructor } from '../tool/tool-contract.ts';

/** A check as class-validator's `ValidateBy` stores it: the validator itself is hidden. */
export interface StoredCheck {
  /** As it is written: `@IsUppercase`. */
  readonly decorator: string;
  /** Absent if the decorator is `@Validate`. */
  readonly name: string | undefined;
  readonly constraintCls: unknown;
  readonly parameters: readonly unknown[];
}

/** What has been stored for a class. It is removed, so that no other reader of the storage sees it. */
type TakeStored = (Class: Constructor) => unknown;

/**
 * Whether a check is the one that class-validator has under this name. class-validator keeps no
 * mark of its own, so both are compared: what they say and how they decide about sample values. A
 * check that reads the object is a program's. In a bundle class-validator may be out of reach; its
 * checks are then known by having a message.
 */
export function isBuiltIn(check: StoredCheck, takeStored: TakeStored): boolean {
  const { name, constraintCls, parameters } = check;
  if (name === undefined) return false;
  const candidate = instanceOf(constraintCls);
  if (candidate === undefined) return false;
  const builtIn = builtInCheck(check, takeStored);
  if (builtIn === 'out of reach') return messageOf(candidate, new SampleContext(parameters)) !== '';
  if (builtIn === undefined) return false;
  const { message, decisions } = answersOfBuiltIn(builtIn, check);
  const context = new SampleContext(parameters);
  if (messageOf(candidate, context) !== message) return false;
  for (let at = 0; at < samples.length; at += 1)
    if (decisionOf(candidate, samples[at], context) !== decisions[at]) return false;
  return true;
}

const samples: readonly unknown[] = [
  '',
  ' ',
  'a',
  '1',
  0,
  1,
  -1,
  1.5,
  true,
  null,
  undefined,
  [],
  ['a'],
  {},
];

interface Check {
  validate(value: unknown, context: SampleContext): unknown;
  defaultMessage(context: SampleContext): unknown;
}

/** class-validator makes a class without dependencies for each decorator. */
function instanceOf(constraintCls: unknown): Check | undefined {
  if (typeof constraintCls !== 'function' || constraintCls.length > 0) return undefined;
  const instance: unknown = attempt((): unknown => Reflect.construct(constraintCls, []));
  return isCheck(instance) ? instance : undefined;
}

const isCheck = (value: unknown): value is Check =>
  isContainer(value) && 'validate' in value && 'defaultMessage' in value;

const builtInChecks = new Map<string, Check>();

function builtInCheck(
  { decorator, parameters }: StoredCheck,
  takeStored: TakeStored,
): Check | 'out of reach' | undefined {
  const cachedCheck = builtInChecks.get(decorator);
  if (cachedCheck !== undefined) return cachedCheck;
  const module = loadInstalled('class-validator');
  if (!isContainer(module)) return 'out of reach';
  const decorate: unknown = Reflect.get(module, decorator.slice(1));
  class Sample {
    readonly sample = undefined;
  }
  // Parameters that follow the first one are in the context of each check.
  attempt(() => {
    if (typeof decorate === 'function')
      Reflect.apply(Reflect.apply(decorate, undefined, parameters.slice(0, 1)), undefined, [
        Sample.prototype,
        'sample',
      ]);
  });
  const check = instanceOf(takeStored(Sample));
  // A program's parameters may not suit: then the next check of this name is tried.
  if (check !== undefined) builtInChecks.set(decorator, check);
  return check;
}

/** What a check of class-validator says, and how it decides about each sample. */
interface Answers {
  readonly message: string;
  readonly decisions: readonly unknown[];
}

/** By decorator and parameters. Most fields of a program have the same few. */
const cachedAnswers = new Map<string, Answers>();
const mostCachedAnswers = 500;

function answersOfBuiltIn(builtIn: Check, { decorator, parameters }: StoredCheck): Answers {
  const key = answersKey(decorator, parameters);
  const cached = key === undefined ? undefined : cachedAnswers.get(key);
  if (cached !== undefined) return cached;
  const context = new SampleContext(parameters);
  const answers = {
    message: messageOf(builtIn, context),
    decisions: samples.map((value) => decisionOf(builtIn, value, context)),
  };
  if (key !== undefined) setNewest(cachedAnswers, [key, answers], mostCachedAnswers);
  return answers;
}

/** Undefined for parameters of which JSON may make the same text as of others. */
function answersKey(decorator: string, parameters: readonly unknown[]): string | undefined {
  if (parameters.length === 0) return decorator;
  return parameters.every(isPlain) ? decorator + JSON.stringify(parameters) : undefined;
}

/** Whether JSON has a parameter as it is. Absent ones are written as null, which isn't plain. */
const isPlain = (parameter: unknown): boolean =>
  parameter === undefined ||
  isPlainMember(parameter) ||
  (Array.isArray(parameter) && parameter.every(isPlainMember));

const isPlainMember = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/**
 * What a check is told beside the value. A class, because an object literal with a getter takes a
 * hundred times as long to make; and one for all samples of a check, because registration makes
 * thousands of decisions.
 */
class SampleContext {
  readonly property = 'sample';
  readonly targetName = 'Sample';
  readonly constraints: readonly unknown[];
  value: unknown = '';

  constructor(parameters: readonly unknown[]) {
    this.constraints = [...parameters];
  }

  get object(): never {
    throw new TypeError("class-validator's own checks don't read the object");
  }
}

/** Without the words of `each`. */
function messageOf(check: Check, context: SampleContext): string {
  try {
    const message = check.defaultMessage(context);
    return typeof message === 'string' ? message.replace('each value in ', '') : '';
  } catch {
    return '';
  }
}

/** Undefined for a check that throws. */
function decisionOf(check: Check, value: unknown, context: SampleContext): unknown {
  context.value = value;
  try {
    return check.validate(value, context);
  } catch {
    return undefined;
  }
}
