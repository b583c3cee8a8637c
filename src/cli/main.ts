import { runCases } from './cases.ts';
import { runCheck } from './check.ts';
import { gatewayUsage, runGateway } from './gateway.ts';
import { journalUsage, runJournal } from './journal.ts';
import { mcpUsage, runMcp } from './mcp.ts';
import { runReplay } from './replay.ts';
import { runWorker, workerUsage } from './worker.ts';
import { runReport } from './report-calls.ts';
import { type Streams, refuse, seeHelp } from './report.ts';

const usage = `Usage: toolmend cases FILE... [--json]
       toolmend check FILE --for anthropic,openai [--json]
       toolmend check URL --for anthropic,openai [--json]
       toolmend check --for anthropic,openai [--json] -- COMMAND ARGUMENT...
       toolmend replay FILE [--tools FILE] [--json]
       toolmend mcp -- COMMAND ARGUMENT...
       toolmend mcp --url URL
       toolmend worker FILE [--concurrency N]
       toolmend gateway --upstream URL [--port N] [--log FILE]
       toolmend report FILE... [--markdown | --json]
       toolmend journal list | show ID | export

Interprets recorded tool calls, one JSON object a line, and says what becomes of them. Nothing is executed, and no
argument is printed. A line has

  schema (or tool.inputSchema, tool.parameters) and arguments (text, or a value)
  tools and tool_calls, as in a chat log: requests and answers of OpenAI and Anthropic, fine-tuning files

  and, to be judged by:  "expect": { "outcome": "unchanged" | "repaired" | "rejected", "value": {…} }

check says what providers would refuse of tools. A file is JSON (a list of tools, the answer to tools/list, or one a line)
or a compiled module that exports a registry, tool classes or what defineTool made; it is run for that. A URL is that of an
MCP server, and the command starts one on its standard streams.

  --for    providers, as in tools.schemas(…), with commas between them
  --json   one JSON object instead of tables
  --help   this text

replay says which recorded calls would end differently: under the tools of the other file, or without one under this version of
toolmend, if the records say how they ended.

${gatewayUsage}
report sums up a log of the gateway: what each model gets wrong, and how many turns the repairs saved.

${mcpUsage}
${workerUsage}
${journalUsage}
Exit code: 1 if a call came out wrong, a line can't be read or a request would be refused, 2 if the command or a file is unknown, else 0.
`;

const commands = new Map([
  ['cases', runCases],
  ['check', runCheck],
  ['gateway', runGateway],
  ['journal', runJournal],
  ['mcp', runMcp],
  ['replay', runReplay],
  ['worker', runWorker],
  ['report', runReport],
]);

/** Runs the command; returns the exit code. Never throws because of what a user wrote. */
export async function main(args: readonly string[], streams: Streams): Promise<number> {
  const [command = '', ...others] = args;
  const end = args.indexOf('--');
  // What follows -- is another command.
  if (command === '-h' || args.slice(0, end === -1 ? undefined : end).includes('--help')) {
    streams.stdout.write(usage);
    return 0;
  }
  const run = commands.get(command);
  if (run !== undefined) return run(others, streams);
  const isMissing = command === '' || command.startsWith('-');
  const why = isMissing ? 'no command was given' : `there is no command ${JSON.stringify(command)}`;
  return refuse(streams, `${why}\n${seeHelp}`);
}
