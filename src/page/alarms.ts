// What somebody should look at: runs that a rejection ended, rejections that repeat, and rates that
// left their interval after a release.
import { wilsonInterval } from '../learning/intervals.ts';
import type {
  Alarms,
  Counts,
  ListedCall,
  ReleaseCounts,
  RepeatedRejection,
  RisenRate,
  SilentRun,
} from './page-data.ts';

/** A run's last call was rejected, and none came for this time. */
const silenceMs = 10 * 60_000;
/** So often in a row is a rejection repeated. */
const fewestRepeats = 5;
/** Calls of a release of which a rate is compared. */
const fewestCalls = 30;
/** 95 percent. */
const z = 1.96;

/** The calls of one run; of one conversation, if no call names its run. */
export const runOf = ({
  run,
  conversation,
}: Pick<ListedCall, 'run' | 'conversation'>): string | undefined => run ?? conversation;

/** `calls`: whole runs, in any order. Runs without a rejected call have no alarm. */
export function runAlarms(calls: Iterable<ListedCall>, now: number): Alarms {
  const runs = Map.groupBy(calls, runOf);
  const withRejection = [...runs].flatMap(([run, those]) =>
    run !== undefined && those.some(({ status }) => status === 'rejected')
      ? [those.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))]
      : [],
  );
  const alarms = withRejection.flatMap((run) => [...silent(run, now), ...repeatedRejections(run)]);
  return { alarms: newestFirst(alarms), runs: withRejection.length };
}

function silent(calls: readonly ListedCall[], now: number): readonly SilentRun[] {
  const last = calls.at(-1);
  if (last?.status !== 'rejected' || now - Date.parse(last.at) < silenceMs) return [];
  return [{ kind: 'silent', tool: last.tool, at: last.at, calls }];
}

function repeatedRejections(calls: readonly ListedCall[]): readonly RepeatedRejection[] {
  const keyOf = ({ status, tool, issues }: ListedCall): string | undefined =>
    status === 'rejected'
      ? JSON.stringify([tool, issues.toSorted((one, other) => one.localeCompare(other))])
      : undefined;
  const alarms: RepeatedRejection[] = [];
  let first = 0;
  for (const [at, call] of calls.entries()) {
    const key = keyOf(call);
    const next = calls[at + 1];
    if (next !== undefined && key !== undefined && keyOf(next) === key) continue;
    const times = at - first + 1;
    if (key !== undefined && times >= fewestRepeats)
      alarms.push({
        kind: 'repeated',
        tool: call.tool,
        at: call.at,
        issues: call.issues,
        times,
        calls,
      });
    first = at + 1;
  }
  return alarms;
}

/** The counts of a tool in a release. */
export interface ToolRelease extends ReleaseCounts {
  readonly tool: string;
}

/** `releases`: the oldest first. */
export function rateAlarms(
  releases: readonly { readonly release: string; readonly first: number }[],
  counts: readonly ToolRelease[],
): readonly RisenRate[] {
  const tools = Map.groupBy(counts, ({ tool }) => tool);
  return newestFirst(
    [...tools].flatMap(([tool, those]) => {
      const knownReleases = releases.flatMap(({ release, first }) => {
        const matchingRelease = those.find((one) => one.release === release);
        return matchingRelease !== undefined && callsOf(matchingRelease) >= fewestCalls
          ? [{ ...matchingRelease, first }]
          : [];
      });
      return knownReleases.flatMap((after, at) => {
        const before = knownReleases[at - 1];
        if (before === undefined) return [];
        return (['repaired', 'rejected', 'failed'] as const)
          .filter((status) => intervalOf(after, status).least > intervalOf(before, status).most)
          .map((status) => ({
            kind: 'rate' as const,
            tool,
            at: new Date(after.first).toISOString(),
            status,
            before: countsOf(before),
            after: countsOf(after),
          }));
      });
    }),
  );
}

const countsOf = ({
  release,
  valid,
  repaired,
  rejected,
  failed,
}: ReleaseCounts): ReleaseCounts => ({
  release,
  valid,
  repaired,
  rejected,
  failed,
});

const callsOf = ({ valid, repaired, rejected, failed }: Counts): number =>
  valid + repaired + rejected + failed;

const intervalOf = (counts: Counts, status: RisenRate['status']) =>
  wilsonInterval({ calls: callsOf(counts), misses: counts[status] }, z);

export const newestFirst = <One extends { readonly at: string }>(
  alarms: readonly One[],
): readonly One[] =>
  alarms.toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
