import { readFile } from 'node:fs/promises';
import { openHintFile } from '../journal/hint-file.ts';
import { ToolmendError } from '../errors/errors.ts';
import { checkedSettings, gatewayOptions, whyNoUpstream } from '../gateway/gateway-options.ts';
import { GatewayRecord } from '../gateway/gateway-record.ts';
import { type Gateway, startGateway } from '../gateway/server.ts';
import { totalOf } from '../gateway/call-counts.ts';
import { defined, ownValue } from '../collections/objects.ts';
import { plainJson } from '../json/parse.ts';
import { printable } from '../json/preview.ts';
import { type JsonObject, isJsonArray, isJsonObject } from '../json/value.ts';
import { type LearnedHint, learnedHints } from '../learning/hint-report.ts';
import { probabilityBelow, wilsonInterval } from '../learning/intervals.ts';
import {
  type Streams,
  asJson,
  flagOption,
  parseCommand,
  refuseUsage,
  table,
  textOption,
  whyNoFile,
} from './report.ts';

export const evalUsage = `Usage: toolmend eval --upstream URL --prompts FILE [--times N] [--json]

Sends each prompt to a model twice, without hints (A) and with hints (B) in the descriptions of its tools, and
counts what its tool calls come to.

  --upstream URL     the base URL of the model's server, which has Chat Completions
  --prompts FILE     a request of Chat Completions in each line, with messages and tools
  --model NAME       in place of the models of the requests
  --times N          how often each prompt is sent in each way. Default: 1
  --key-env NAME     the environment variable with the server's API key
  --hints-file FILE  B also has the sentences that toolmend gateway --hints learn has learned for the model in
                     this file
  --json             one JSON object instead of a table

Exit code: 2 for wrong usage or a file that can't be read, 1 if an answer is missing, else 0.
`;

const options = {
  upstream: textOption,
  prompts: textOption,
  model: textOption,
  times: textOption,
  'key-env': textOption,
  'hints-file': textOption,
  json: flagOption,
} as const;

/** What became of the calls of one way. */
interface EvalCounts {
  readonly way: 'A' | 'B';
  readonly requests: number;
  /** Requests without an answer: the server refused them, or could not be reached. */
  readonly missing: number;
  readonly calls: number;
  readonly valid: number;
  readonly repaired: number;
  readonly refused: number;
}

/** Runs the comparison. Returns the exit code. */
export async function runEval(args: readonly string[], streams: Streams): Promise<number> {
  const request = await readRequest(args);
  if (typeof request === 'string') return refuseUsage(streams, request);
  const { upstream, settings, prompts, times, hints, isJson } = request;
  const ways = [
    await openWay('A', settings),
    await openWay('B', { ...settings, hints: true, toolHints: sentencesByTool(hints) }),
  ] as const;
  try {
    for (let time = 0; time < times; time += 1)
      for (const prompt of prompts)
        // One after the other: a server that warms up, or slows down, does so for both.
        for (const way of time % 2 === 0 ? ways : ways.toReversed()) await way.send(prompt);
  } finally {
    for (const way of ways) await way.close();
  }
  const [without, withHints] = [ways[0].counts(), ways[1].counts()];
  streams.stdout.write(
    isJson ? asJson({ ways: [without, withHints] }) : comparison(without, withHints),
  );
  const missing = without.missing + withHints.missing;
  if (missing === 0) return 0;
  const all = without.requests + withHints.requests;
  const [why = ''] = ways.flatMap((way) => way.firstFailure() ?? []);
  streams.stderr.write(
    `toolmend: ${upstream} did not answer ${missing} of ${all} requests. The first one: ${printable(why, 400)}\n` +
      'Check that the server runs, and its --upstream, --model and --key-env.\n',
  );
  return 1;
}

/** Why there is no answer, in the words of the server or the gateway; undefined if there is one. */
async function failureIn(answer: Response): Promise<string | undefined> {
  // The gateway counts when the answer has ended.
  const body = plainJson(await answer.text());
  if (answer.ok) return undefined;
  const error = isJsonObject(body) ? ownValue(body, 'error') : undefined;
  const message = isJsonObject(error) ? ownValue(error, 'message') : error;
  return typeof message === 'string' ? message : `It answered ${answer.status}.`;
}

async function openWay(way: EvalCounts['way'], settings: object) {
  const record = new GatewayRecord({ writeLine: undefined, contents: false });
  const checked = checkedSettings('toolmend eval', settings);
  const gateway: Gateway = await startGateway(gatewayOptions(checked, process.env), record);
  let [requests, missing] = [0, 0];
  let failure: string | undefined;
  return {
    async send(prompt: JsonObject): Promise<void> {
      requests += 1;
      const why = await fetch(`${gateway.url}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(prompt),
      })
        .then(failureIn)
        .catch(() => 'The answer broke off.');
      if (why === undefined) return;
      missing += 1;
      failure ??= why;
    },
    /** Why the first request without an answer had none. */
    firstFailure: () => failure,
    close: () => gateway.close(),
    counts(): EvalCounts {
      const statuses = totalOf(
        record.stats().models.flatMap(({ tools }) => tools),
        'statuses',
      );
      const sum = (...names: readonly string[]): number =>
        names.reduce((total, name) => total + (statuses.get(name) ?? 0), 0);
      const [valid, repaired] = [sum('unchanged', 'unchecked'), sum('repaired', 'recovered')];
      const refused = sum('rejected', 'unknown_tool', 'left_in_text', 'server_error');
      return {
        way,
        requests,
        missing,
        calls: valid + repaired + refused,
        valid,
        repaired,
        refused,
      };
    },
  };
}

/** The sentences that are on, or would be. */
function sentencesByTool(hints: readonly LearnedHint[]): Readonly<Record<string, string[]>> {
  const byTool = Map.groupBy(
    hints.filter(({ state }) => state === 'trial' || state === 'kept'),
    ({ tool }) => tool,
  );
  return Object.fromEntries(
    Array.from(byTool, ([tool, those]) => [tool, those.map(({ sentence }) => sentence)]),
  );
}

/** Which shares of calls were right, with their denominators and intervals (95 percent). */
function comparison(without: EvalCounts, withHints: EvalCounts): string {
  const heading = ['', 'requests', 'no answer', 'calls', 'right as sent', 'repaired', 'refused'];
  const rows = [without, withHints].map((counts) => {
    const { way, requests, missing, calls, valid, repaired, refused } = counts;
    return [
      way === 'A' ? 'A, without hints' : 'B, with hints',
      requests,
      missing,
      calls,
      ...[valid, repaired, refused].map((part) => share(part, calls)),
    ];
  });
  return `${table(heading, rows)}\n${verdict(without, withHints)}\n`;
}

const missesOf = ({ calls, valid }: EvalCounts) => ({ calls, misses: calls - valid });

function verdict(without: EvalCounts, withHints: EvalCounts): string {
  if (without.calls === 0 || withHints.calls === 0) return 'There is nothing to compare: no calls.';
  const probability = probabilityBelow(missesOf(withHints), missesOf(without), 1);
  return `Calls that were not right as sent are rarer with hints with a probability of ${probability.toFixed(3)}.`;
}

/** `8 of 100 (8.0 %, 4.1 to 15.0)`. */
function share(part: number, calls: number): string {
  if (calls === 0) return '0 of 0';
  const { least, most } = wilsonInterval({ calls, misses: part }, 1.96);
  const percent = (rate: number): string => (rate * 100).toFixed(1);
  return `${part} of ${calls} (${percent(part / calls)} %, ${percent(least)} to ${percent(most)})`;
}

/** The request, or why it can't be read. */
async function readRequest(args: readonly string[]) {
  const commandLine = parseCommand('eval', args, options);
  if (typeof commandLine === 'string') return commandLine;
  const { values, positionals } = commandLine;
  const { upstream, prompts: path, model, times = '1', 'key-env': keyFrom } = values;
  if (positionals.length > 0) return `eval takes no ${positionals[0]}`;
  if (upstream === undefined || path === undefined) return 'eval needs --upstream and --prompts';
  const why = whyNoUpstream(upstream);
  if (why !== undefined) return `--upstream ${why.what}: ${why.instead}`;
  if (!/^[1-9]\d{0,4}$/.test(times)) return '--times is a number from 1 to 99999';
  if (keyFrom !== undefined && (process.env[keyFrom] ?? '') === '')
    return `the environment variable ${printable(keyFrom, 80)} of --key-env is empty`;
  const whyNot = await whyNoFile(path);
  if (whyNot !== undefined) return whyNot;
  const prompts = promptsIn(await readFile(path, 'utf8'), model);
  if (typeof prompts === 'string') return prompts;
  const hints = await hintsIn(values['hints-file'], prompts);
  if (typeof hints === 'string') return hints;
  return {
    upstream: new URL(upstream).origin,
    settings: { upstreams: [defined({ url: upstream, keyFrom })] },
    prompts,
    times: Number(times),
    hints,
    isJson: values.json === true,
  };
}

/** The requests, or which line is none. Answers are read whole. */
function promptsIn(text: string, model: string | undefined): readonly JsonObject[] | string {
  const prompts: JsonObject[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const prompt = plainJson(line);
    if (prompt === undefined) return `line ${index + 1} of the prompts is not JSON`;
    const isPrompt =
      isJsonObject(prompt) &&
      isJsonArray(ownValue(prompt, 'messages')) &&
      isJsonArray(ownValue(prompt, 'tools'));
    if (!isPrompt) return `line ${index + 1} of the prompts has no messages and tools`;
    if (model === undefined && typeof ownValue(prompt, 'model') !== 'string')
      return `line ${index + 1} of the prompts names no model: pass --model`;
    prompts.push({ ...prompt, ...defined({ model }), stream: false });
  }
  return prompts.length === 0 ? 'the file of --prompts is empty' : prompts;
}

/** Those of the models of the prompts, or why the file can't be read. */
async function hintsIn(
  path: string | undefined,
  prompts: readonly JsonObject[],
): Promise<readonly LearnedHint[] | string> {
  if (path === undefined) return [];
  const whyNot = await whyNoFile(path);
  if (whyNot !== undefined) return whyNot;
  const models = new Set(prompts.map((prompt) => ownValue(prompt, 'model')));
  try {
    const counts = await openHintFile(path);
    return learnedHints(await counts.exchange([])).filter(({ model }) => models.has(model));
  } catch (error) {
    if (!ToolmendError.isInstance(error)) throw error;
    return error.message;
  }
}
