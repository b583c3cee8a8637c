// What does a tool return that yields? What it yields is progress, and what it returns is the result.
import { setImmediate } from 'node:timers/promises';
import type { Run } from '../run-until-ended.ts';

/** Milliseconds; after them timers and other calls have their turn, also beside a generator that never waits. */
const longestStretch = 10;

/** It is told to end when the run was stopped. */
export async function drainGenerator(
  returned: AsyncGenerator,
  run: Pick<Run, 'throwIfStopped'>,
  progress: (update: unknown) => void,
): Promise<unknown> {
  let turn = performance.now();
  try {
    for (;;) {
      if (performance.now() - turn > longestStretch) {
        await setImmediate();
        turn = performance.now();
      }
      const step = await returned.next();
      if (step.done === true) return step.value;
      run.throwIfStopped();
      progress(step.value);
    }
  } catch (error) {
    await returned.return(undefined);
    throw error;
  }
}

/** Only what a generator function makes: a stream or a list is a value like any other. */
export const isGenerator = (value: unknown): value is AsyncGenerator =>
  typeof value === 'object' && value !== null && generators.has(tagOf(value));

const generators: ReadonlySet<unknown> = new Set(['AsyncGenerator', 'Generator']);

/** Never throws, whatever a returned value does when it is looked at. */
function tagOf(value: object): unknown {
  try {
    return Reflect.get(value, Symbol.toStringTag);
  } catch {
    return undefined;
  }
}
