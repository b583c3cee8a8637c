// Numbers and times as people read them.

/** A narrow blank that doesn't break. */
const thousands = '\u202F';

export const wholeNumber = (count: number): string =>
  String(count).replaceAll(/\B(?=(\d{3})+$)/g, thousands);

/** At most seven characters, which a column of the list has room for. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return '<1 ms';
  if (milliseconds < 1_000) return `${Math.floor(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  return `${seconds < 100 ? seconds.toFixed(1) : wholeNumber(Math.round(seconds))} s`;
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** In the zone of the reader. */
export const clockTime = (at: number): string => clock.format(at);
export const dayOf = (at: number): string => day.format(at);

/** In full: `14:31:09`, of another day `29 Nov, 14:31:09`. */
export const momentOf = (at: number, now: number): string =>
  new Date(at).toDateString() === new Date(now).toDateString()
    ? clockTime(at)
    : `${dayOf(at)}, ${clockTime(at)}`;

const weekdayClock = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const week = 6 * 24 * 3_600_000;

/** In a list: the time of today, the weekday in a week, else the day. */
export function shortTime(at: number, now: number): string {
  if (new Date(at).toDateString() === new Date(now).toDateString()) return clockTime(at);
  return now - at < week ? weekdayClock.format(at).replace(',', '') : dayOf(at);
}

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A countdown: `11:22`, `3 h 05 min`. */
export function timeLeft(milliseconds: number): string {
  const two = (count: number): string => String(count).padStart(2, '0');
  const minutes = Math.floor(milliseconds / minuteMs);
  if (minutes < 60) return `${minutes}:${two(Math.floor((milliseconds % minuteMs) / 1_000))}`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

/** `31 s`, `3 min`, `5 h`, `2 d`. */
export function age(milliseconds: number): string {
  if (milliseconds < minuteMs) return `${Math.max(0, Math.floor(milliseconds / 1_000))} s`;
  if (milliseconds < hourMs) return `${Math.floor(milliseconds / minuteMs)} min`;
  const hours = Math.floor(milliseconds / hourMs);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

const weekdayName = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' });
const clockMinute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayMs = 24 * 3_600_000;

/** At the axis of a chart that has so many milliseconds. */
export function axisTime(at: number, span: number): string {
  const isMidnight = new Date(at).getHours() === 0 && new Date(at).getMinutes() === 0;
  if (span <= 2 * dayMs && !isMidnight) return clockMinute.format(at);
  return span <= 14 * dayMs ? weekdayName.format(at) : dayOf(at);
}

/** `Mon 23, 09:00–12:00`. */
export function stepName(at: number, stepMs: number): string {
  if (stepMs >= dayMs) return dayOf(at);
  return `${weekdayName.format(at)}, ${clockMinute.format(at)}–${clockMinute.format(at + stepMs)}`;
}

/** `3 hours`. */
export function stepLengthName(stepMs: number): string {
  if (stepMs < 3_600_000) return counted(stepMs / 60_000, 'minute');
  return stepMs < dayMs ? counted(stepMs / 3_600_000, 'hour') : counted(stepMs / dayMs, 'day');
}
