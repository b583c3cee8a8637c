// What becomes of the calls in one file? Line by line, so that a file of any size will do.
import { DefinitionError } from '../../errors/definition-error.ts';
import { harmless } from '../../issues/excerpt.ts';
import { readLines } from '../records/read-lines.ts';
import { readRecord } from '../records/read-record.ts';
import type { RecordedCall } from '../records/recorded-call.ts';
import type { Streams } from '../streams.ts';
import { FileTally } from './file-tally.ts';
import type { RecordInterpreter } from './interpret-record.ts';
import { judgeRecord } from './judge-record.ts';

/** Lines between two signs of life. */
const progressStep = 500;

/** Rejects as `node:fs` does if the file can't be read. */
export async function tallyFile(
  file: string,
  interpreter: RecordInterpreter,
  { stderr }: Streams,
): Promise<FileTally> {
  const tally = new FileTally(file);
  for await (const { number, text } of readLines(file)) {
    if (text === undefined) tally.addBad(number, 'is too long');
    else addLine(tally, { line: number, text }, interpreter);
    if (stderr.isTTY === true && number % progressStep === 0) stderr.write(`\r${file}: ${number} lines`);
  }
  // Blanks the line that showed the progress.
  if (stderr.isTTY === true) stderr.write('\r\u001b[K');
  return tally;
}

function addLine(
  tally: FileTally,
  { line, text }: { readonly line: number; readonly text: string },
  interpreter: RecordInterpreter,
): void {
  const record = readRecord(text);
  if (record.kind === 'bad') {
    tally.addBad(line, record.why);
    return;
  }
  tally.unknownTools += record.unknownTools;
  if (record.calls.length + record.unknownTools === 0) tally.withoutCall += 1;
  for (const call of record.calls) addCall(tally, line, call, interpreter);
}

function addCall(tally: FileTally, line: number, call: RecordedCall, interpreter: RecordInterpreter): void {
  const { id, expected, isRenamed } = call;
  try {
    for (const warning of interpreter.warningsOf(call)) tally.addWarning(line, harmless(warning, 200));
    const result = interpreter.interpret(call);
    const verdict = expected === undefined ? undefined : judgeRecord(expected, result);
    const names = interpreter.namesOf(call);
    tally.addCall({ line, id, names }, result, { verdict, isRenamed });
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    tally.addBad(line, harmless(error.complaints[0]?.what ?? error.message, 160));
  }
}
