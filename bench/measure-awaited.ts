import { type Measured, type MeasureSettings, measuredFrom } from './measure.ts';

/** A function to measure and await. Its result is ignored. */
export interface AwaitedSubject {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/**
 * Measures asynchronous subjects in turn, each run after the last one has ended. Times are
 * processor time of the whole process, garbage collection included. Each round starts with another
 * subject.
 */
export async function measureAwaited(
  subjects: readonly AwaitedSubject[],
  { rounds, milliseconds, warmUp }: MeasureSettings,
): Promise<readonly Measured[]> {
  const warmUpRuns = warmUp * 20;
  const counts = new Map<AwaitedSubject, number>();
  for (const subject of subjects) {
    await microsecondsFor(subject, warmUpRuns);
    counts.set(
      subject,
      Math.max(
        1,
        Math.round((milliseconds * 1_000) / (await microsecondsFor(subject, warmUpRuns))),
      ),
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

async function microsecondsFor({ run }: AwaitedSubject, count: number): Promise<number> {
  const start = process.cpuUsage();
  for (let at = 0; at < count; at += 1) await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}
