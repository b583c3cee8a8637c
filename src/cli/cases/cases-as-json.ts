// How are the counts of files written for other programs? As one JSON object.
import type { FileTally } from './file-tally.ts';

/** One object, indented, with a line feed at its end. */
export const casesAsJson = (tallies: readonly FileTally[]): string =>
  `${JSON.stringify({ files: tallies.map(fileAsJson) }, undefined, 2)}\n`;

const fileAsJson = (tally: FileTally) => ({
  file: tally.file,
  calls: tally.calls,
  outcomes: tally.outcomes,
  unknownTools: tally.unknownTools,
  withoutCall: tally.withoutCall,
  judged: { cases: tally.judged, ...tally.verdicts },
  rules: Object.fromEntries(tally.rules),
  rejections: Object.fromEntries(tally.rejections),
  wrongLines: tally.wrongLines,
  missedLines: tally.missedLines,
  repairedLines: tally.repairedLines,
  rejectedLines: tally.rejectedLines,
  warnings: tally.warnings,
  warningLines: tally.warningLines,
  bad: tally.bad,
  badLines: tally.badLines,
});
