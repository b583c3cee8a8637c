// Is what a program says of one call what it must be? Asked before anything is done with the call.
import { unknownOptions } from '../../contract/unknown-options.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { timeComplaints } from '../../errors/milliseconds.ts';
import {
  functionKind,
  objectKind,
  optionComplaints,
  type OptionKind,
  type OptionKinds,
} from '../../errors/option-complaints.ts';
import type { CallOptions } from './call-options.ts';

const where = 'ToolRegistry.call';

/** Throws a DefinitionError with every option that is of another kind, and every one that there is not. */
export function checkCallOptions(options: CallOptions): void {
  if (isSound(options)) return;
  const misfits = optionComplaints(where, options, kinds);
  const given: Partial<CallOptions> = Object(options);
  const { timeLimit } = given;
  const complaints = [
    ...misfits,
    ...timeComplaints(where, { timeLimit }),
    ...unknownOptions(where, given, callOptions),
  ];
  if (complaints.length > 0) throw new DefinitionError(complaints);
}

/** Quickly: nearly every call's are. */
function isSound(options: unknown): boolean {
  if (typeof options !== 'object' || options === null) return false;
  for (const [option, value] of Object.entries(options)) {
    if (value !== undefined && checks.get(option)?.(value) !== true) return false;
  }
  return true;
}

/** Of any installed copy of toolmend: known by what it can do. */
const madeWith = (method: string, instead: string): OptionKind => ({
  fits: (value) => typeof Reflect.get(Object(value), method) === 'function',
  instead,
});

const kinds: OptionKinds = {
  signal: madeWith('addEventListener', 'write an AbortSignal, the signal of an AbortController'),
  caller: { fits: (caller) => typeof caller === 'string', instead: 'write a text, as the id of a tenant' },
  within: objectKind('write the context that the calling tool was given'),
  context: objectKind('write an object of values by name'),
  progress: functionKind('write a function that takes an update'),
  run: madeWith('refusalOf', 'write a ToolRun, new ToolRun()'),
  memory: madeWith('failedBefore', 'write a CallMemory, new CallMemory()'),
};

const callOptions: Readonly<Record<keyof CallOptions, true>> = {
  signal: true,
  timeLimit: true,
  caller: true,
  within: true,
  context: true,
  progress: true,
  run: true,
  memory: true,
  dialect: true,
};

const checks: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['timeLimit', (timeLimit) => timeComplaints(where, { timeLimit }).length === 0],
  // Whether there is such a dialect is asked where the call is read.
  ['dialect', () => true],
  ...Object.entries(kinds).map(([option, { fits }]) => [option, fits] as const),
]);
