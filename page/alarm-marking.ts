// The marks of alarms, kept in this browser.
import { useState } from 'preact/hooks';
import type { Alarm } from '../src/page/page-data.ts';
import { type AlarmMarks, doneKey, muteKey } from './alarm-marks.ts';

/** The newest marks that are kept. */
const mostMarks = 500;
/** Pages of one origin, such as those of two tenants, have marks of their own. */
const storageKey = (): string => `toolmend alarms ${location.pathname}`;

export interface AlarmMarking {
  readonly marks: AlarmMarks;
  readonly markDone: (alarm: Alarm) => void;
  readonly mute: (alarm: Alarm, release: string) => void;
  /** Takes all marks of an alarm away. */
  readonly showAgain: (alarm: Alarm) => void;
}

export function useAlarmMarks(): AlarmMarking {
  const [marks, setMarks] = useState<AlarmMarks>(() => readMarks() ?? new Map());
  /** Read again: another tab may have marked alarms. */
  const change = (
    removedKeys: readonly string[],
    added: readonly (readonly [string, string])[],
  ) => {
    const others = [...(readMarks() ?? marks)].filter(([key]) => !removedKeys.includes(key));
    const changedMarks = new Map([...others, ...added].slice(-mostMarks));
    writeMarks(changedMarks);
    setMarks(changedMarks);
  };
  return {
    marks,
    markDone: (alarm) => change([doneKey(alarm)], [[doneKey(alarm), alarm.at]]),
    mute: (alarm, release) => change([muteKey(alarm)], [[muteKey(alarm), release]]),
    showAgain: (alarm) => change([doneKey(alarm), muteKey(alarm)], []),
  };
}

/** Undefined if the browser keeps nothing for this page. */
function readMarks(): AlarmMarks | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey()) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return undefined;
    return new Map(
      Object.entries(kept).flatMap(([key, value]) =>
        typeof value === 'string' ? [[key, value] as const] : [],
      ),
    );
  } catch {
    return undefined;
  }
}

function writeMarks(marks: AlarmMarks): void {
  try {
    localStorage.setItem(storageKey(), JSON.stringify(Object.fromEntries(marks)));
  } catch {
    // They hold until the page is loaded again.
  }
}
