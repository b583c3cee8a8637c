// How much work is something asynchronous, beside something else? Processor time of the whole process, the collection of
// garbage included; rounds in turn, one run after the other.
import { type Measured, type MeasureSettings, measuredFrom } from './measure.ts';

/** One thing to measure; it is waited for, and what it resolves with is ignored. */
export interface AwaitedSubject {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** Measures subjects in turn; each round starts with another one. */
export async function measureAwaited(
  subjects: readonly AwaitedSubject[],
  { rounds, milliseconds }: MeasureSettings,
): Promise<readonly Measured[]> {
  const counts = new Map<AwaitedSubject, number>();
  for (const subject of subjects) {
    await microsecondsFor(subject, warmUp);
    counts.set(
      subject,
      Math.max(1, Math.round((milliseconds * 1_000) / (await microsecondsFor(subject, warmUp)))),
    );
  }
  const times = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    const turn = round % subjects.length;
    for (const subject of [...subjects.slice(turn), ...subjects.slice(0, turn)]) {
      times.get(subject.name)?.push(await microsecondsFor(subject, counts.get(subject) ?? 1));
    }
  }
  return subjects.map(({ name }) => measuredFrom(name, times));
}

/** Runs before anything counts. */
const warmUp = 20_000;

async function microsecondsFor({ run }: AwaitedSubject, count: number): Promise<number> {
  const start = process.cpuUsage();
  for (let at = 0; at < count; at += 1) await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}
