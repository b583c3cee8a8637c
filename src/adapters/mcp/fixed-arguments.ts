// What does the application send in arguments that no model sees? JSON, or what its functions make of the call's context values.
import { types } from 'node:util';
import type { Complain } from '../../contract/complaint-book.ts';
import type { ApplicationContext } from '../../contract/tool-contract.ts';
import { ToolmendError } from '../../errors/toolmend-error.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { readPlainValue } from '../../json/plain-value.ts';
import type { FixedArgument, ToolOverlay } from './remote-options.ts';

export type FixedArguments = NonNullable<ToolOverlay['fixed']>;

const deepest = 64;

/** Complains of what could never be sent. */
export function requireFixed(fixed: FixedArguments, complain: Complain): void {
  for (const [name, value] of Object.entries<unknown>(fixed)) {
    const isMade = typeof value === 'function' && !types.isAsyncFunction(value);
    if (isMade || readPlainValue(value, deepest).kind === 'plain') continue;
    const kind = typeof value === 'function' ? 'an async function' : 'no JSON';
    complain(
      `has ${kind} as the fixed argument ${JSON.stringify(name)}`,
      'write a JSON value, or a function that returns one; what must be awaited belongs into the call’s context',
    );
  }
}

/** Throws a ToolmendError for a function that returned no JSON, and what such a function throws. */
export const fixedMembers = (
  fixed: FixedArguments,
  values: ApplicationContext,
): readonly (readonly [string, JsonValue])[] =>
  Object.entries(fixed).map(([name, value]) => [name, valueOf(name, value, values)] as const);

function valueOf(name: string, fixed: FixedArgument, values: ApplicationContext): JsonValue {
  const reading = readPlainValue(typeof fixed === 'function' ? fixed(values) : fixed, deepest);
  if (reading.kind === 'plain') return reading.value;
  throw new ToolmendError('fixed-argument', `the function of the fixed argument ${name} returned no JSON`);
}
