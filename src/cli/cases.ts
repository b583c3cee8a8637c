import { stat } from 'node:fs/promises';
import { DefinitionError } from '../errors/definition-error.ts';
import { interpret } from '../interpret/interpret.ts';
import type { Interpretation } from '../interpret/interpretation.ts';
import { pointerKeys, pointerTo } from '../json/json-pointer.ts';
import { parseJson } from '../json/parse.ts';
import {
  type JsonValue,
  normalizeKey,
  isJsonArray,
  isJsonObject,
  objectOf,
  sameValue,
} from '../json/value.ts';
import { printable } from '../json/preview.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import { standardMetaArguments } from '../tool/meta-arguments.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import { type Expectation, type RecordedCall, readLines, readRecord } from './read-records.ts';
import type { Streams } from './streams.ts';

// Those that the tool's schema has: any other key is the model's, and may hold anything.
/** The names of all properties of a tool and of its meta arguments, in the form that their spellings share. */
export type KnownNames = ReadonlySet<string>;

function knownNames({ inputSchema, meta }: ToolContract): KnownNames {
  const names = new Set(meta.map(({ name }) => normalizeKey(name) ?? name));
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === 'properties' && typeof value === 'object' && value !== null)
        for (const name of Object.keys(value)) names.add(normalizeKey(name) ?? name);
      collect(value);
    }
  };
  collect(inputSchema);
  return names;
}

/** A JSON Pointer with `*` for each key that the schema doesn't name; list positions stay. */
const shownPointer = (pointer: string, names: KnownNames): string =>
  pointerKeys(pointer)
    .map((key) => (/^\d+$/.test(key) || names.has(normalizeKey(key) ?? key) ? key : '*'))
    .reduce(pointerTo, '');

// Said by place alone: what stands there may be a secret.
/** The JSON Pointer of the first difference, in the order of the left value's keys; undefined if there is none. */
function firstDifference(left: JsonValue, right: JsonValue, path = ''): string | undefined {
  if (sameValue(left, right)) return undefined;
  const isAlike = (isJsonObject(left) && isJsonObject(right)) || (isJsonArray(left) && isJsonArray(right));
  if (!isAlike) return path;
  const [leftMembers, rightMembers] = [left, right].map((value) => new Map(Object.entries(value)));
  for (const key of new Set([...(leftMembers?.keys() ?? []), ...(rightMembers?.keys() ?? [])])) {
    const [before, after] = [leftMembers?.get(key), rightMembers?.get(key)];
    const below = pointerTo(path, key);
    if (before === undefined || after === undefined) return below;
    const difference = firstDifference(before, after, below);
    if (difference !== undefined) return difference;
  }
  return path;
}

// Right, missed or wrong, and where it differs first.
/**
 * `right`: as expected. `missed`: rejected, though there is one reading. `wrong`: accepted with another value or
 * another outcome, or accepted at all; `path` is the JSON Pointer of the first difference.
 */
export type Verdict =
  { readonly kind: 'right' | 'missed' } | { readonly kind: 'wrong'; readonly path: string };

/** Holds an interpretation against what is expected of it. */
export function judgeRecord(expected: Expectation, result: Interpretation): Verdict {
  if (result.status === 'rejected') return { kind: expected.outcome === 'rejected' ? 'right' : 'missed' };
  if (expected.outcome === 'rejected') return { kind: 'wrong', path: '' };
  const path =
    firstDifference(comparable(expected.value ?? null, expected), comparable(result.value, expected)) ??
    (expected.meta === undefined ? undefined : firstDifference(expected.meta, result.meta)) ??
    (expected.outcome === result.status ? undefined : '');
  return path === undefined ? { kind: 'right' } : { kind: 'wrong', path };
}

/** Text that holds JSON is compared as what it says where the expectation asks for that. */
function comparable(value: JsonValue, { parsedKeys }: Expectation): JsonValue {
  if (parsedKeys.size === 0 || !isJsonObject(value)) return value;
  return objectOf(
    Object.entries(value).map(
      ([key, member]) => [key, parsedKeys.has(key) ? parsedText(member) : member] as const,
    ),
  );
}

function parsedText(member: JsonValue): JsonValue {
  if (typeof member !== 'string') return member;
  const reading = parseJson(member, 64);
  return reading.kind === 'read' ? reading.value : member;
}

// No value of a call is kept.
/** A line worth looking at: its number, the call's id, and what is said of it. */
export interface NotedLine {
  readonly line: number;
  readonly id: string | undefined;
  readonly what: string;
}

export interface RuleCount {
  /** Calls that the rule acted on. */
  calls: number;
  repairs: number;
  /** Calls of those that came out wrong. */
  wrong: number;
}

/** Where a call stands, and which of its names may be shown. */
export interface CallPlace {
  readonly line: number;
  readonly id: string | undefined;
  readonly names: KnownNames;
}

/** Lines that are named; the others are counted. */
const mostNoted = 100;

class FileTally {
  readonly file: string;
  /** Lines that describe a tool, or a conversation, without any call. */
  withoutCall = 0;
  unknownTools = 0;
  bad = 0;
  warnings = 0;
  readonly outcomes = { unchanged: 0, repaired: 0, rejected: 0 };
  /** `refused` is the part of `right` that had to be rejected. */
  readonly verdicts = { right: 0, refused: 0, missed: 0, wrong: 0 };
  readonly rules = new Map<string, RuleCount>();
  /** Rejected calls by the keyword of their first issue. */
  readonly rejections = new Map<string, number>();
  readonly badLines: NotedLine[] = [];
  readonly warningLines: NotedLine[] = [];
  readonly wrongLines: NotedLine[] = [];
  readonly missedLines: NotedLine[] = [];
  /** Of calls that nothing is expected of. */
  readonly repairedLines: NotedLine[] = [];
  readonly rejectedLines: NotedLine[] = [];
  readonly unjudged = { repaired: 0, rejected: 0 };

  constructor(file: string) {
    this.file = file;
  }

  get calls(): number {
    const { unchanged, repaired, rejected } = this.outcomes;
    return unchanged + repaired + rejected;
  }

  get judged(): number {
    const { right, missed, wrong } = this.verdicts;
    return right + missed + wrong;
  }

  /** The schema of a call can't be used, or not in full. */
  addWarning(line: number, what: string): void {
    this.warnings += 1;
    note(this.warningLines, { line, id: undefined }, what);
  }

  addBad(line: number, why: string): void {
    this.bad += 1;
    note(this.badLines, { line, id: undefined }, why);
  }

  addCall(
    place: CallPlace,
    result: Interpretation,
    { verdict, isRenamed }: { readonly verdict: Verdict | undefined; readonly isRenamed: boolean },
  ): void {
    this.outcomes[result.status] += 1;
    if (verdict !== undefined) this.#addVerdict(place, result, verdict);
    else if (result.status === 'repaired') {
      this.unjudged.repaired += 1;
      const what = result.repairs.map(({ rule, path }) => `${rule}${at(path, place)}`).join(', ');
      note(this.repairedLines, place, what);
    }
    const acted = [...result.repairs.map(({ rule }) => rule), ...(isRenamed ? ['tool_name'] : [])];
    for (const rule of acted) this.#rule(rule).repairs += 1;
    for (const rule of new Set(acted)) {
      this.#rule(rule).calls += 1;
      if (verdict?.kind === 'wrong') this.#rule(rule).wrong += 1;
    }
    if (result.status === 'rejected') this.#addRejection(place, result, verdict);
  }

  #addVerdict(place: CallPlace, { status }: Interpretation, verdict: Verdict): void {
    this.verdicts[verdict.kind] += 1;
    if (verdict.kind === 'right' && status === 'rejected') this.verdicts.refused += 1;
    if (verdict.kind === 'wrong') note(this.wrongLines, place, shownPointer(verdict.path, place.names));
  }

  #addRejection(place: CallPlace, { issues: [first] }: Interpretation, verdict: Verdict | undefined): void {
    const keyword = first?.keyword ?? 'unknown';
    this.rejections.set(keyword, (this.rejections.get(keyword) ?? 0) + 1);
    const what = `${keyword}${at(first?.path ?? '', place)}`;
    if (verdict === undefined) {
      this.unjudged.rejected += 1;
      note(this.rejectedLines, place, what);
    }
    if (verdict?.kind === 'missed') note(this.missedLines, place, what);
  }

  #rule(rule: string): RuleCount {
    const count = this.rules.get(rule) ?? { calls: 0, repairs: 0, wrong: 0 };
    this.rules.set(rule, count);
    return count;
  }
}

const at = (path: string, { names }: CallPlace): string =>
  path === '' ? '' : ` at ${shownPointer(path, names)}`;

function note(lines: NotedLine[], { line, id }: Omit<NotedLine, 'what'>, what: string): void {
  if (lines.length < mostNoted) lines.push({ line, id, what });
}

// As one JSON object.
/** One object, indented, with a line feed at its end. */
const casesAsJson = (tallies: readonly FileTally[]): string =>
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

// Columns as wide as their widest cell; numbers to the right.
/** A heading, a row a line; the first column is left, the others are right. */
function table(heading: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [heading, ...rows.map((row) => row.map(String))];
  const widths = heading.map((_name, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const written = cells.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return `${written.join('\n')}\n`;
}

// A row a file, a row a rule, then the lines worth looking at.
/** Lines of one kind that are shown for a file. */
const mostShown = 10;

/** The whole report. No value of a call is in it. */
function casesAsTables(tallies: readonly FileTally[]): string {
  const judged = tallies.filter((tally) => tally.judged > 0);
  const recorded = tallies.filter((tally) => tally.calls > tally.judged);
  const empty = tallies.filter((tally) => tally.calls === 0);
  const parts = [
    judged.length > 0
      ? table(['file', 'cases', 'right', 'refused', 'missed', 'wrong'], judged.map(judgedRow))
      : '',
    recorded.length > 0
      ? table(['file', 'calls', 'valid', 'repaired', 'rejected', 'unknown tool'], recorded.map(recordedRow))
      : '',
    empty.map(({ file, withoutCall }) => `${file}: ${withoutCall} lines without a call\n`).join(''),
    rulesTable(tallies),
    rejectionsTable(tallies),
    tallies.map(linesOf).join(''),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

const judgedRow = ({ file, judged, verdicts: { right, refused, missed, wrong } }: FileTally) =>
  [file, judged, right, refused, missed, wrong] as const;

const recordedRow = ({ file, calls, outcomes, unknownTools }: FileTally) =>
  [file, calls, outcomes.unchanged, outcomes.repaired, outcomes.rejected, unknownTools] as const;

function rulesTable(tallies: readonly FileTally[]): string {
  const rules = new Map<string, RuleCount>();
  for (const [rule, { calls, repairs, wrong }] of tallies.flatMap((tally) => [...tally.rules])) {
    const sum = rules.get(rule) ?? { calls: 0, repairs: 0, wrong: 0 };
    rules.set(rule, { calls: sum.calls + calls, repairs: sum.repairs + repairs, wrong: sum.wrong + wrong });
  }
  const rows = [...rules]
    .toSorted(([, left], [, right]) => right.calls - left.calls)
    .map(([rule, { calls, repairs, wrong }]) => [rule, calls, repairs, wrong] as const);
  return rows.length === 0 ? '' : table(['rule', 'calls', 'repairs', 'wrong'], rows);
}

function rejectionsTable(tallies: readonly FileTally[]): string {
  const sums = new Map<string, number>();
  for (const [keyword, count] of tallies.flatMap((tally) => [...tally.rejections]))
    sums.set(keyword, (sums.get(keyword) ?? 0) + count);
  const rows = [...sums].toSorted(([, left], [, right]) => right - left);
  return rows.length === 0 ? '' : table(['rejected for', 'calls'], rows);
}

function linesOf(tally: FileTally): string {
  const { file, wrongLines, missedLines, repairedLines, rejectedLines, badLines, unjudged } = tally;
  const kinds: readonly (readonly [string, readonly NotedLine[], number])[] = [
    ['wrong, first at', wrongLines, tally.verdicts.wrong],
    ['missed:', missedLines, tally.verdicts.missed],
    ['repaired:', repairedLines, unjudged.repaired],
    ['rejected:', rejectedLines, unjudged.rejected],
    ['schema:', tally.warningLines, tally.warnings],
    ['not read:', badLines, tally.bad],
  ];
  return kinds
    .flatMap(([kind, lines, count]) => {
      const shown = lines.slice(0, mostShown).map((line) => noted(file, kind, line));
      return count > shown.length && shown.length > 0
        ? [...shown, `${file}: ${count - shown.length} more\n`]
        : shown;
    })
    .join('');
}

const noted = (file: string, kind: string, { line, id, what }: NotedLine): string =>
  `${file}:${line}: ${id === undefined ? '' : `${printable(id)} `}${kind} ${what === '' ? 'the whole' : printable(what, 160)}\n`;

// Through the one seam; a contract that many lines share is made once.
/** Contracts that are kept; then all are forgotten, so that a file with ever new tools doesn't fill the memory. */
const mostContracts = 500;

class RecordInterpreter {
  readonly #contracts = new Map<string, ToolContract>();
  readonly #names = new WeakMap<ToolContract, KnownNames>();
  readonly #told = new WeakSet<ToolContract>();

  /** Throws a DefinitionError if the tool's schema is none of an object. */
  interpret(call: RecordedCall): Interpretation {
    const { sent, finishReason } = call;
    return interpret(this.#contractOf(call), {
      // A value that is text is a root of the wrong type, not argument text.
      arguments:
        sent.kind === 'text'
          ? sent.text
          : typeof sent.value === 'string'
            ? JSON.stringify(sent.value)
            : sent.value,
      ...(finishReason === undefined ? {} : { finishReason }),
    });
  }

  /** What is wrong with the call's schema, told once: nobody judges by it, or not by all of it. */
  warningsOf(call: RecordedCall): readonly string[] {
    const contract = this.#contractOf(call);
    if (this.#told.has(contract)) return [];
    this.#told.add(contract);
    return validatorOf(contract).warnings.map(({ message }) => message);
  }

  /** The names that the call's schema has. */
  namesOf(call: RecordedCall): KnownNames {
    const contract = this.#contractOf(call);
    const names = this.#names.get(contract) ?? knownNames(contract);
    this.#names.set(contract, names);
    return names;
  }

  #contractOf({ tool, meta }: RecordedCall): ToolContract {
    const question = JSON.stringify([tool.name, tool.effects, meta, tool.schema]);
    const known = this.#contracts.get(question);
    if (known !== undefined) return known;
    const { name, effects, schema } = tool;
    const contract = contractFromSchema({
      ...(name === undefined ? {} : { name }),
      ...(effects === undefined ? {} : { effects }),
      inputSchema: schema,
      onUnusableSchema: 'warn',
      meta: meta ? standardMetaArguments : [],
    });
    if (this.#contracts.size >= mostContracts) this.#contracts.clear();
    this.#contracts.set(question, contract);
    return contract;
  }
}

// Line by line, so that a file of any size will do.
/** Lines between two signs of life. */
const progressStep = 500;

/** Rejects as `node:fs` does if the file can't be read. */
async function tallyFile(
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
    for (const warning of interpreter.warningsOf(call)) tally.addWarning(line, printable(warning, 200));
    const result = interpreter.interpret(call);
    const verdict = expected === undefined ? undefined : judgeRecord(expected, result);
    const names = interpreter.namesOf(call);
    tally.addCall({ line, id, names }, result, { verdict, isRenamed });
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    tally.addBad(line, printable(error.problems[0]?.what ?? error.message, 160));
  }
}

// Each is looked for first, then read, and all are reported together.
/** The exit code: 2 for a file that can't be read, 1 for wrong calls or bad lines, else 0. */
export async function runCases(
  files: readonly string[],
  form: 'json' | 'tables',
  streams: Streams,
): Promise<number> {
  const missing = await firstMissing(files);
  if (missing !== undefined) return refuse(streams, `there is no file ${printable(missing, 400)}`);
  const interpreter = new RecordInterpreter();
  const tallies: FileTally[] = [];
  for (const file of files) {
    try {
      tallies.push(await tallyFile(file, interpreter, streams));
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return refuse(streams, `${printable(file, 400)} can't be read (${error.code})`);
    }
  }
  streams.stdout.write(form === 'json' ? casesAsJson(tallies) : casesAsTables(tallies));
  return tallies.some(({ bad, verdicts }) => bad + verdicts.wrong > 0) ? 1 : 0;
}

async function firstMissing(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const isFile = await stat(file).then(
      (found) => !found.isDirectory(),
      () => false,
    );
    if (!isFile) return file;
  }
  return undefined;
}

const isSystemError = (error: unknown): error is { readonly code: string } =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  'syscall' in error &&
  typeof error.code === 'string';

function refuse({ stderr }: Streams, why: string): number {
  stderr.write(`toolmend: ${why}\n`);
  return 2;
}
