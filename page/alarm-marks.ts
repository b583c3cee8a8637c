// Alarms that a person is done with, or has muted.
import { runOf } from '../src/page/alarms.ts';
import type { Alarm, Alarms } from '../src/page/page-data.ts';

/** Why an alarm is put aside. */
export type AlarmMark = 'done' | 'muted';

/** Of each marked alarm: its time if it is done, the newest release if it is muted. */
export type AlarmMarks = ReadonlyMap<string, string>;

export interface MarkedAlarm {
  readonly alarm: Alarm;
  readonly mark: AlarmMark;
}

/** Done is this alarm, and it comes back with a later time. */
export function doneKey(alarm: Alarm): string {
  const { kind, tool } = alarm;
  const last = alarm.kind === 'rate' ? undefined : alarm.calls.at(-1);
  const place = alarm.kind === 'rate' ? [alarm.status, alarm.after.release] : [last && runOf(last)];
  return JSON.stringify(['done', kind, tool, ...place]);
}

/** Muted is the same alarm of all runs. */
export function muteKey(alarm: Alarm): string {
  const { kind, tool } = alarm;
  const issues =
    alarm.kind === 'silent'
      ? (alarm.calls.at(-1)?.issues ?? [])
      : alarm.kind === 'repeated'
        ? alarm.issues
        : [alarm.status];
  return JSON.stringify(['muted', kind, tool, ...issues.toSorted()]);
}

function markOf(
  alarm: Alarm,
  marks: AlarmMarks,
  release: string | undefined,
): AlarmMark | undefined {
  const doneAt = marks.get(doneKey(alarm));
  if (doneAt !== undefined && alarm.at <= doneAt) return 'done';
  const mutedRelease = marks.get(muteKey(alarm));
  return mutedRelease !== undefined && mutedRelease === release ? 'muted' : undefined;
}

/** The alarms without a mark, and those with one. */
export function sortAlarms(
  looked: Alarms,
  marks: AlarmMarks,
): { readonly open: Alarms; readonly marked: readonly MarkedAlarm[] } {
  const pairs = looked.alarms.map((alarm) => ({
    alarm,
    mark: markOf(alarm, marks, looked.release),
  }));
  return {
    open: {
      ...looked,
      alarms: pairs.flatMap(({ alarm, mark }) => (mark === undefined ? [alarm] : [])),
    },
    marked: pairs.flatMap(({ alarm, mark }) => (mark === undefined ? [] : [{ alarm, mark }])),
  };
}
