const millisecondsOf: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** The milliseconds of a duration such as `30s`; undefined for anything else. */
export function durationIn(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (millisecondsOf[unit] ?? 0);
}

/** What to write instead of anything else. */
export const durationForm = 'write a number with ms, s or m, such as 30s';
