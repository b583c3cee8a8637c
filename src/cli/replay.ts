import { interpret } from '../interpret/interpret-arguments.ts';
import type { Interpretation } from '../interpret/interpretation.ts';
import { printable } from '../json/preview.ts';
import { defined } from '../collections/objects.ts';
import { firstDifference } from '../json/pointers.ts';
import { type JsonValue } from '../json/value.ts';
import { findTool } from '../registry/interpret-call.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { RecordContracts, isSystemError, contractNames, shownPointer } from './cases.ts';
import { toolsInFile } from './check.ts';
import { type RecordedCall, readLines, readRecord } from './read-records.ts';
import {
  type Streams,
  Tally,
  asJson,
  flagOption,
  parseCommand,
  refuseUsage,
  table,
  textOption,
  whyNoFile,
} from './report.ts';

/** What becomes of a call. `unknown_tool`: the new tools have no tool of its name. */
interface Result {
  readonly status: Interpretation['status'] | 'unknown_tool';
  /** The rules of its repairs, each once. undefined: unknown. */
  readonly rules: readonly string[] | undefined;
  /** The keyword and the place of the first issue of a rejected call. */
  readonly issue?: string;
  /** undefined: unknown, or there is none. */
  readonly value?: JsonValue;
}

interface Difference {
  readonly line: number;
  readonly id: string | undefined;
  readonly tool: string | undefined;
  readonly oldResult: Result;
  readonly newResult: Result;
  /** The place of the first difference of two accepted values. */
  readonly path: string | undefined;
}

interface Replay {
  calls: number;
  same: number;
  /** Calls with nothing to compare with. */
  notCompared: number;
  readonly differences: Difference[];
  readonly bad: { readonly line: number; readonly why: string }[];
}

export const replayUsage = `Usage: toolmend replay FILE [--tools FILE] [--json]

Lists the recorded calls that would end differently. With --tools, a call is interpreted with the recorded
tools and with those of the other file. Without --tools, the record must say how the call ended, and the call
is interpreted by this version of toolmend. toolmend cases --help has the form of a record.

  --tools FILE   a JSON file of tools, or a compiled module that exports them
  --json         one JSON object instead of tables

Exit code: 1 if a call ends differently or a line can't be read, 2 if a file can't be read, else 0.
`;

/**
 * Interprets recorded calls and compares: under the tools of a file with those under the recorded
 * tools, or without such a file with the recorded results. Exit code: 1 if a call differs or a line
 * can't be read, 2 for wrong usage, else 0.
 */
export async function runReplay(args: readonly string[], streams: Streams): Promise<number> {
  const commandLine = parseCommand('replay', args, { json: flagOption, tools: textOption });
  if (typeof commandLine === 'string') return refuseUsage(streams, commandLine);
  const { values, positionals } = commandLine;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0)
    return refuseUsage(streams, 'replay needs one file of recorded calls');
  const why = await whyNoFile(file);
  if (why !== undefined) return refuseUsage(streams, why);
  const loadedTools = values.tools === undefined ? undefined : await toolsInFile(values.tools);
  if (loadedTools !== undefined && 'reason' in loadedTools)
    return refuseUsage(streams, loadedTools.reason);
  if (loadedTools !== undefined && loadedTools.broken.length > 0)
    return refuseUsage(streams, loadedTools.broken.join('\n'));
  const tools =
    loadedTools &&
    new Map(loadedTools.contracts.map((contract) => [contract.name, contract] as const));
  try {
    const replay = await replayFile(file, tools);
    if (replay.calls + replay.bad.length === 0)
      return refuseUsage(
        streams,
        `${printable(file, 400)} has no calls with a tool and arguments: toolmend gateway and toolmend mcp write them with --log-contents`,
      );
    streams.stdout.write(values.json === true ? asJson(toJson(replay)) : toText(file, replay));
    return replay.differences.length + replay.bad.length > 0 ? 1 : 0;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return refuseUsage(streams, `${printable(file, 400)} can't be read (${error.code})`);
  }
}

type NewTools = ReadonlyMap<string, ToolContract> | undefined;

async function replayFile(file: string, tools: NewTools): Promise<Replay> {
  const replay: Replay = { calls: 0, same: 0, notCompared: 0, differences: [], bad: [] };
  const contracts = new RecordContracts();
  for await (const { number: line, text } of readLines(file)) {
    const record =
      text === undefined ? ({ kind: 'bad', why: 'is too long' } as const) : readRecord(text);
    if (record.kind === 'bad') {
      replay.bad.push({ line, why: record.why });
      continue;
    }
    for (const call of record.calls) {
      const recordContract = contracts.of(call);
      if (typeof recordContract === 'string') replay.bad.push({ line, why: recordContract });
      else addCall(replay, line, call, oldAndNewResults(call, recordContract.contract, tools));
    }
  }
  return replay;
}

interface Results {
  readonly oldResult: Result;
  readonly newResult: Result;
  /** The names that may be shown. */
  readonly names: ReadonlySet<string>;
}

/** undefined: there is nothing to compare. */
function oldAndNewResults(
  call: RecordedCall,
  recordedContract: ToolContract,
  tools: NewTools,
): Results | undefined {
  if (tools === undefined) {
    const oldResult = resultOnRecord(call);
    const names = contractNames(recordedContract);
    return (
      oldResult && { oldResult, newResult: interpretedResult(recordedContract, call, names), names }
    );
  }
  const newContract = newTool(call.tool.name, tools);
  if (newContract === 'unnamed') return undefined;
  const names = new Set([
    ...contractNames(recordedContract),
    ...(newContract === undefined ? [] : contractNames(newContract)),
  ]);
  const oldResult = interpretedResult(recordedContract, call, names);
  const newResult: Result =
    newContract === undefined
      ? { status: 'unknown_tool', rules: undefined }
      : interpretedResult(newContract, call, names);
  return { oldResult, newResult, names };
}

/** A record without a name can only mean the only tool. */
function newTool(
  name: string | undefined,
  tools: NonNullable<NewTools>,
): ToolContract | 'unnamed' | undefined {
  const [only, ...others] = tools.values();
  if (name === undefined) return others.length === 0 && only !== undefined ? only : 'unnamed';
  const match = findTool(tools, name);
  return match.kind === 'unknown' ? undefined : match.tool;
}

function resultOnRecord({ expectation, recordedResult }: RecordedCall): Result | undefined {
  if (recordedResult !== undefined) return recordedResult;
  if (expectation === undefined) return undefined;
  const { outcome: status, value } = expectation;
  return { status, rules: undefined, ...defined({ value }) };
}

function interpretedResult(
  contract: ToolContract,
  { sentArguments, finishReason }: RecordedCall,
  names: ReadonlySet<string>,
): Result {
  const result = interpret(contract, { arguments: sentArguments, ...defined({ finishReason }) });
  const rules = [...new Set(result.repairs.map(({ rule }) => rule))];
  if (result.status !== 'rejected') return { status: result.status, rules, value: result.value };
  const [issue] = result.issues;
  if (issue === undefined) return { status: 'rejected', rules };
  const place = issue.path === '' ? '' : ` at ${shownPointer(issue.path, names)}`;
  return { status: 'rejected', rules, issue: `${issue.keyword}${place}` };
}

function addCall(
  replay: Replay,
  line: number,
  { id, tool }: RecordedCall,
  results: Results | undefined,
): void {
  replay.calls += 1;
  if (results === undefined) {
    replay.notCompared += 1;
    return;
  }
  const { oldResult, newResult, names } = results;
  const pointer =
    oldResult.value === undefined || newResult.value === undefined
      ? undefined
      : firstDifference(oldResult.value, newResult.value);
  const hasSameRules =
    oldResult.rules === undefined ||
    newResult.rules === undefined ||
    sameMembers(oldResult.rules, newResult.rules);
  if (oldResult.status === newResult.status && pointer === undefined && hasSameRules)
    replay.same += 1;
  else {
    const path = pointer === undefined ? undefined : shownPointer(pointer, names);
    replay.differences.push({ line, id, tool: tool.name, oldResult, newResult, path });
  }
}

const sameMembers = (left: readonly string[], right: readonly string[]): boolean =>
  left.toSorted().join() === right.toSorted().join();

/** Values of arguments are not part of the report. */
const shownResult = ({ status, rules, issue }: Result): object => ({ status, rules, issue });

const toJson = ({ differences, ...replay }: Replay): object => ({
  ...replay,
  different: differences.length,
  differences: differences.map(({ oldResult, newResult, ...difference }) => ({
    ...difference,
    before: shownResult(oldResult),
    after: shownResult(newResult),
  })),
});

/** Differences that are listed in text. */
const mostShown = 50;

function toText(file: string, { calls, same, notCompared, differences, bad }: Replay): string {
  const changes = new Tally();
  for (const { oldResult, newResult } of differences)
    changes.add(`${oldResult.status} → ${newResult.status}`);
  const lines = [
    ...differences
      .slice(0, mostShown)
      .map((difference) => `${file}:${difference.line}: ${inWords(difference)}\n`),
    ...(differences.length > mostShown
      ? [`${file}: ${differences.length - mostShown} more\n`]
      : []),
    ...bad.slice(0, mostShown).map(({ line, why }) => `${file}:${line}: not read: ${why}\n`),
    ...(bad.length > mostShown
      ? [`${file}: ${bad.length - mostShown} more that can't be read\n`]
      : []),
  ];
  const sum = ['file', 'calls', 'same', 'different', 'not compared'];
  return [
    table(sum, [[file, calls, same, differences.length, notCompared]]),
    differences.length === 0 ? '' : table(['change', 'calls'], [...changes]),
    lines.join(''),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function inWords({ id, tool, oldResult, newResult, path }: Difference): string {
  const call = [id, tool].flatMap((word) => (word === undefined ? [] : printable(word))).join(' ');
  const value =
    path === undefined ? '' : `; another value${path === '' ? '' : ` at ${printable(path, 160)}`}`;
  return `${call === '' ? '' : `${call}: `}was ${statusInWords(oldResult)}, is ${statusInWords(newResult)}${value}`;
}

function statusInWords({ status, rules = [], issue }: Result): string {
  const details = issue ?? rules.join(', ');
  return `${status.replace('_', ' ')}${details === '' ? '' : ` (${details})`}`;
}
