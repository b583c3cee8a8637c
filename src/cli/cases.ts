import { DefinitionError } from '../errors/definition-error.ts';
import { interpret } from '../interpret/interpret-arguments.ts';
import type { Interpretation } from '../interpret/interpretation.ts';
import { parseJson } from '../json/parse.ts';
import { printable } from '../json/preview.ts';
import { defined, isContainer, objectOf } from '../collections/objects.ts';
import { spellingOf } from '../json/key-spelling.ts';
import { pointerKeys, pointerTo, firstDifference } from '../json/pointers.ts';
import { type JsonValue, isJsonObject } from '../json/value.ts';
import { propertyNames } from '../repair/rules/drop-empty-key.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import { standardMetaArguments, withMetaArguments } from '../tool/meta-arguments.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import { type Expectation, type RecordedCall, readLines, readRecord } from './read-records.ts';
import {
  type Streams,
  Tally,
  asJson,
  flagOption,
  parseCommand,
  refuseUsage,
  table,
  whyNoFile,
} from './report.ts';

export const casesUsage = `Usage: toolmend cases FILE... [--json]

Interprets recorded tool calls, one JSON object a line, and says what becomes of them. Nothing is executed, and no
argument is printed. A line has

  schema (or tool.inputSchema, tool.parameters) and arguments (text, or a value)
  tools and tool_calls, as in a chat log: requests and answers of OpenAI and Anthropic, fine-tuning files

  and, to be judged by:  "expect": { "outcome": "unchanged" | "repaired" | "rejected", "value": {…} }

  --json   one JSON object instead of tables

Exit code: 1 if a call came out wrong or a line can't be read, 2 if a file can't be read, else 0.
`;

/**
 * Interprets the calls in files of records and reports the results. Exit code: 2 if a file can't be
 * read, 1 for wrong calls or bad lines, else 0.
 */
export async function runCases(args: readonly string[], streams: Streams): Promise<number> {
  const commandLine = parseCommand('cases', args, { json: flagOption });
  if (typeof commandLine === 'string') return refuseUsage(streams, commandLine);
  const { values, positionals: files } = commandLine;
  const why = files.length === 0 ? 'cases needs at least one file' : await whyNoFile(...files);
  if (why !== undefined) return refuseUsage(streams, why);
  const contracts = new RecordContracts();
  const reports: FileReport[] = [];
  for (const file of files) {
    try {
      reports.push(await reportOf(file, contracts, streams));
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return refuseUsage(streams, `${printable(file, 400)} can't be read (${error.code})`);
    }
  }
  streams.stdout.write(
    values.json === true ? asJson({ files: reports.map(toJson) }) : toTables(reports),
  );
  return reports.some(({ notes, judged: judgedCases }) => notes.bad.count + judgedCases.wrong > 0)
    ? 1
    : 0;
}

export const isSystemError = (error: unknown): error is { readonly code: string } =>
  isContainer(error) && 'syscall' in error && 'code' in error && typeof error.code === 'string';

/**
 * `right`: as expected. `missed`: rejected, though there is one reading. `wrong`: accepted with
 * another value or status, or accepted although it must be rejected; `path` is the JSON Pointer of
 * the first difference.
 */
export type CaseVerdict =
  { readonly kind: 'right' | 'missed' } | { readonly kind: 'wrong'; readonly path: string };

export function caseVerdict(expectation: Expectation, result: Interpretation): CaseVerdict {
  if (result.status === 'rejected')
    return { kind: expectation.outcome === 'rejected' ? 'right' : 'missed' };
  if (expectation.outcome === 'rejected') return { kind: 'wrong', path: '' };
  const path =
    firstDifference(
      comparable(expectation.value ?? null, expectation),
      comparable(result.value, expectation),
    ) ??
    (expectation.meta === undefined ? undefined : firstDifference(expectation.meta, result.meta)) ??
    (expectation.outcome === result.status ? undefined : '');
  return path === undefined ? { kind: 'right' } : { kind: 'wrong', path };
}

function comparable(value: JsonValue, { parsedKeys }: Expectation): JsonValue {
  if (parsedKeys.size === 0 || !isJsonObject(value)) return value;
  return objectOf(
    Object.entries(value).map(([key, member]) => {
      const reading =
        parsedKeys.has(key) && typeof member === 'string' ? parseJson(member, 64) : undefined;
      return [key, reading?.kind === 'read' ? reading.value : member] as const;
    }),
  );
}

/** Contracts that are kept. A file with ever new tools doesn't fill the memory. */
const mostContracts = 500;

export interface RecordContract {
  readonly contract: ToolContract;
  /**
   * The spellings of all declared properties and meta arguments. Other keys come from the model and
   * may be secret.
   */
  readonly names: ReadonlySet<string>;
  /** Warnings about the schema that were not reported before. */
  readonly warnings: string[];
}

/** The contracts of recorded calls, each made once for all calls with the same tool. */
export class RecordContracts {
  readonly #contracts = new Map<string, RecordContract>();

  /** The contract, or why the tool has none: its schema is not that of an object. */
  of(call: RecordedCall): RecordContract | string {
    try {
      return this.#contractOf(call);
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      return printable(error.problems[0]?.what ?? error.message, 160);
    }
  }

  #contractOf({ tool, meta }: RecordedCall): RecordContract {
    const key = JSON.stringify([tool.name, tool.effects, meta, tool.schema]);
    const cachedContract = this.#contracts.get(key);
    if (cachedContract !== undefined) return cachedContract;
    const { name, effects, schema } = tool;
    const argumentsContract = contractFromSchema({
      ...defined({ name, effects }),
      inputSchema: schema,
      onUnusableSchema: 'warn',
    });
    const contract = meta
      ? withMetaArguments(argumentsContract, standardMetaArguments)
      : argumentsContract;
    const names = contractNames(contract);
    const warnings = validatorOf(contract).warnings.map(({ message }) => message);
    const recordContract = { contract, names, warnings };
    if (this.#contracts.size >= mostContracts) this.#contracts.clear();
    this.#contracts.set(key, recordContract);
    return recordContract;
  }
}

export const contractNames = ({ meta, inputSchema }: ToolContract): ReadonlySet<string> =>
  new Set([...meta.map(({ name }) => name), ...propertyNames(inputSchema)].map(spellingOf));

/** A line that is listed in the report. Values of calls are never part of it. */
interface NotedLine {
  readonly line: number;
  readonly id: string | undefined;
  readonly what: string;
}

/** Lines of one kind that are listed; the others are only counted. */
const mostNoted = 100;

class Notes {
  count = 0;
  readonly lines: NotedLine[] = [];

  add(line: number, id: string | undefined, what: string): void {
    this.count += 1;
    if (this.lines.length < mostNoted) this.lines.push({ line, id, what });
  }
}

interface RuleCount {
  /** Calls in which the rule made a repair. */
  calls: number;
  repairs: number;
  /** Of these calls, the wrong ones. */
  wrong: number;
}

const newReport = (file: string) => ({
  file,
  calls: 0,
  outcomes: { unchanged: 0, repaired: 0, rejected: 0 },
  unknownTools: 0,
  /** Lines that describe a tool or a conversation without a call. */
  withoutCall: 0,
  /** `refused` is the part of `right` that had to be rejected. */
  judged: { cases: 0, right: 0, refused: 0, missed: 0, wrong: 0 },
  rules: new Map<string, RuleCount>(),
  /** Rejected calls by the keyword of their first issue. */
  rejections: new Tally(),
  /** Repaired and rejected are calls without an expectation. */
  notes: {
    wrong: new Notes(),
    missed: new Notes(),
    repaired: new Notes(),
    rejected: new Notes(),
    schema: new Notes(),
    bad: new Notes(),
  },
});

type FileReport = ReturnType<typeof newReport>;

const progressStep = 500;

/** Rejects as `node:fs` does if the file can't be read. */
async function reportOf(
  file: string,
  contracts: RecordContracts,
  { stderr }: Streams,
): Promise<FileReport> {
  const report = newReport(file);
  for await (const { number, text } of readLines(file)) {
    if (text === undefined) report.notes.bad.add(number, undefined, 'is too long');
    else addLine(report, number, text, contracts);
    if (stderr.isTTY === true && number % progressStep === 0)
      stderr.write(`\r${file}: ${number} lines`);
  }
  // Clears the progress.
  if (stderr.isTTY === true) stderr.write('\r\u001b[K');
  return report;
}

function addLine(report: FileReport, line: number, text: string, contracts: RecordContracts): void {
  const record = readRecord(text);
  if (record.kind === 'bad') {
    report.notes.bad.add(line, undefined, record.why);
    return;
  }
  report.unknownTools += record.unknownTools;
  if (record.calls.length + record.unknownTools === 0) report.withoutCall += 1;
  for (const call of record.calls) {
    const contract = contracts.of(call);
    if (typeof contract === 'string') report.notes.bad.add(line, undefined, contract);
    else addCall(report, line, call, contract);
  }
}

function addCall(
  report: FileReport,
  line: number,
  { id, sentArguments, finishReason, expectation, isRenamed }: RecordedCall,
  { contract, names, warnings }: RecordContract,
): void {
  for (const warning of warnings.splice(0))
    report.notes.schema.add(line, undefined, printable(warning, 200));
  const result = interpret(contract, { arguments: sentArguments, ...defined({ finishReason }) });
  const { status, repairs, issues } = result;
  const verdict = expectation === undefined ? undefined : caseVerdict(expectation, result);
  report.calls += 1;
  report.outcomes[status] += 1;
  const rules = [...repairs.map(({ rule }) => rule), ...(isRenamed ? ['tool_name'] : [])];
  for (const [rule, uses] of Map.groupBy(rules, (name) => name))
    addRule(report.rules, rule, {
      calls: 1,
      repairs: uses.length,
      wrong: verdict?.kind === 'wrong' ? 1 : 0,
    });
  if (verdict !== undefined) {
    report.judged.cases += 1;
    report.judged[verdict.kind] += 1;
    if (verdict.kind === 'right' && status === 'rejected') report.judged.refused += 1;
  }
  const at = (path: string): string => (path === '' ? '' : ` at ${shownPointer(path, names)}`);
  const [{ keyword, path } = { keyword: 'unknown', path: '' }] = issues;
  if (status === 'rejected') report.rejections.add(keyword);
  if (verdict?.kind === 'wrong')
    report.notes.wrong.add(line, id, shownPointer(verdict.path, names));
  else if (verdict?.kind === 'missed') report.notes.missed.add(line, id, `${keyword}${at(path)}`);
  else if (verdict === undefined && status === 'rejected')
    report.notes.rejected.add(line, id, `${keyword}${at(path)}`);
  else if (verdict === undefined && status === 'repaired')
    report.notes.repaired.add(
      line,
      id,
      repairs.map((repair) => `${repair.rule}${at(repair.path)}`).join(', '),
    );
}

/** A JSON Pointer with `*` for each key that the schema doesn't name. Indices stay. */
export const shownPointer = (pointer: string, names: ReadonlySet<string>): string =>
  pointerKeys(pointer)
    .map((key) => (/^\d+$/.test(key) || names.has(spellingOf(key)) ? key : '*'))
    .reduce(pointerTo, '');

function addRule(
  rules: Map<string, RuleCount>,
  rule: string,
  { calls, repairs, wrong }: RuleCount,
): void {
  const sum = rules.get(rule) ?? { calls: 0, repairs: 0, wrong: 0 };
  rules.set(rule, {
    calls: sum.calls + calls,
    repairs: sum.repairs + repairs,
    wrong: sum.wrong + wrong,
  });
}

function toJson({ notes, rules, rejections, judged: judgedCases, ...report }: FileReport): object {
  return {
    ...report,
    judged: judgedCases,
    rules: Object.fromEntries(rules),
    rejections: Object.fromEntries(rejections),
    wrongLines: notes.wrong.lines,
    missedLines: notes.missed.lines,
    repairedLines: notes.repaired.lines,
    rejectedLines: notes.rejected.lines,
    warnings: notes.schema.count,
    warningLines: notes.schema.lines,
    bad: notes.bad.count,
    badLines: notes.bad.lines,
  };
}

function toTables(reports: readonly FileReport[]): string {
  const judgedRows = reports
    .filter((report) => report.judged.cases > 0)
    .map((report) => [report.file, ...Object.values(report.judged)]);
  const recordedRows = reports
    .filter((report) => report.calls > report.judged.cases)
    .map(({ file, calls, outcomes, unknownTools }) => [
      file,
      calls,
      ...Object.values(outcomes),
      unknownTools,
    ]);
  const rules = new Map<string, RuleCount>();
  const rejections = new Tally();
  for (const report of reports) {
    for (const [rule, count] of report.rules) addRule(rules, rule, count);
    for (const [keyword, count] of report.rejections) rejections.add(keyword, count);
  }
  const ruleRows = [...rules]
    .toSorted(([, left], [, right]) => right.calls - left.calls)
    .map(([rule, { calls, repairs, wrong }]) => [rule, calls, repairs, wrong]);
  const rejectionRows = [...rejections].toSorted(([, left], [, right]) => right - left);
  const withoutCall = reports.filter(({ calls, withoutCall: lines }) => calls === 0 && lines > 0);
  return [
    tableIfAny(['file', 'cases', 'right', 'refused', 'missed', 'wrong'], judgedRows),
    tableIfAny(['file', 'calls', 'valid', 'repaired', 'rejected', 'unknown tool'], recordedRows),
    withoutCall
      .map(
        (report) =>
          `${report.file}: ${report.withoutCall} lines without a call: toolmend gateway and toolmend mcp write calls with --log-contents\n`,
      )
      .join(''),
    tableIfAny(['rule', 'calls', 'repairs', 'wrong'], ruleRows),
    tableIfAny(['rejected for', 'calls'], rejectionRows),
    reports.flatMap(notesToText).join(''),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const tableIfAny = (heading: readonly string[], rows: Parameters<typeof table>[1]): string =>
  rows.length === 0 ? '' : table(heading, rows);

const mostShown = 10;

function notesToText({ file, notes }: FileReport): readonly string[] {
  const kinds = [
    ['wrong, first at', notes.wrong],
    ['missed:', notes.missed],
    ['repaired:', notes.repaired],
    ['rejected:', notes.rejected],
    ['schema:', notes.schema],
    ['not read:', notes.bad],
  ] as const;
  return kinds.flatMap(([kind, { lines, count }]) => {
    const shownLines = lines.slice(0, mostShown).map(({ line, id, what }) => {
      const call = id === undefined ? '' : `${printable(id)} `;
      return `${file}:${line}: ${call}${kind} ${what === '' ? 'the whole' : printable(what, 160)}\n`;
    });
    return count > shownLines.length
      ? [...shownLines, `${file}: ${count - shownLines.length} more\n`]
      : shownLines;
  });
}
