import { attempt } from '../collections/attempt.ts';
import { isContainer } from '../collections/objects.ts';
import { nextTurn } from '../platform/timers.ts';
import type { Run } from './run-until-ended.ts';

/**
 * Milliseconds; after them timers and other calls have their turn, also beside a generator that
 * never waits.
 */
const maxStretchMs = 10;

/**
 * Reports what the generator yields as progress, and returns its result. Ends the generator if the
 * run is stopped.
 */
export async function drainGenerator(
  generator: AsyncGenerator,
  run: Pick<Run, 'throwIfStopped'>,
  progress: (update: unknown) => void,
): Promise<unknown> {
  let turn = performance.now();
  try {
    for (;;) {
      if (performance.now() - turn > maxStretchMs) {
        await nextTurn();
        turn = performance.now();
      }
      const step = await generator.next();
      if (step.done === true) return step.value;
      run.throwIfStopped();
      progress(step.value);
    }
  } catch (error) {
    await generator.return(undefined);
    throw error;
  }
}

/**
 * Whether a value comes from a generator function. Other iterables, such as streams, are ordinary
 * values. Never throws.
 */
export const isGenerator = (value: unknown): value is AsyncGenerator =>
  isContainer(value) &&
  generators.has(attempt<unknown>(() => Reflect.get(value, Symbol.toStringTag)));

const generators: ReadonlySet<unknown> = new Set(['AsyncGenerator', 'Generator']);
