import { readFile } from 'node:fs/promises';
import { parseJson } from '../json/parse.ts';
import { memberOf } from '../collections/objects.ts';
import { packageFile } from '../page/installed-package.ts';
import { casesUsage, runCases } from './cases.ts';
import { checkUsage, runCheck } from './check.ts';
import { demoUsage, runDemo } from './demo.ts';
import { evalUsage, runEval } from './eval.ts';
import { gatewayUsage, runGateway } from './gateway.ts';
import { initUsage, runInit } from './init.ts';
import { journalUsage, runJournal } from './journal.ts';
import { mcpUsage, runMcp } from './mcp.ts';
import { replayUsage, runReplay } from './replay.ts';
import { runSuite, suiteUsage } from './suite.ts';
import { runUi, uiUsage } from './ui.ts';
import { runWorker, workerUsage } from './worker.ts';
import { reportUsage, runReport } from './report-calls.ts';
import { type Streams, refuseUsage } from './report.ts';

interface Command {
  /** What it does, after its name in the list of all commands. */
  readonly does: string;
  readonly usage: string;
  readonly run: (args: readonly string[], streams: Streams) => Promise<number>;
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'demo',
    { does: 'shows ten reported tool calls before and after', usage: demoUsage, run: runDemo },
  ],
  [
    'init',
    { does: 'writes a tool and its test into your project', usage: initUsage, run: runInit },
  ],
  [
    'gateway',
    {
      does: 'repairs the tool calls between an agent and the server of its model',
      usage: gatewayUsage,
      run: runGateway,
    },
  ],
  ['mcp', { does: 'repairs the tool calls in front of MCP servers', usage: mcpUsage, run: runMcp }],
  [
    'check',
    {
      does: 'lists what providers would refuse in the schemas of tools',
      usage: checkUsage,
      run: runCheck,
    },
  ],
  ['cases', { does: 'says what becomes of recorded tool calls', usage: casesUsage, run: runCases }],
  [
    'replay',
    {
      does: 'lists the recorded calls that would end differently',
      usage: replayUsage,
      run: runReplay,
    },
  ],
  ['suite', { does: 'gives the near-miss suite to a library', usage: suiteUsage, run: runSuite }],
  [
    'report',
    { does: 'sums up logs of the gateway, or a week of calls', usage: reportUsage, run: runReport },
  ],
  [
    'eval',
    {
      does: 'counts the tool calls of a model without and with hints',
      usage: evalUsage,
      run: runEval,
    },
  ],
  [
    'worker',
    { does: 'runs the queued background calls of a registry', usage: workerUsage, run: runWorker },
  ],
  ['ui', { does: 'shows recorded calls in a browser', usage: uiUsage, run: runUi }],
  ['journal', { does: 'reads the journal of a registry', usage: journalUsage, run: runJournal }],
]);

const overview = `Usage: toolmend COMMAND [OPTION...]

${[...commands].map(([name, { does }]) => `  ${name.padEnd(9)}${does}\n`).join('')}
  toolmend COMMAND --help   the options of a command
  toolmend --version        the version

Exit code: 2 if the command or a file is unknown; the help of a command lists its other exit codes.
`;

/** Runs the command; returns the exit code. Never throws because of what a user wrote. */
export async function main(args: readonly string[], streams: Streams): Promise<number> {
  const [name = '', ...others] = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const command = commands.get(name);
  const end = others.indexOf('--');
  // What follows -- is another command.
  const asksForHelp = others
    .slice(0, end === -1 ? undefined : end)
    .some((word) => word === '--help' || word === '-h');
  if (name === '--help' || name === '-h' || (command !== undefined && asksForHelp)) {
    streams.stdout.write(command?.usage ?? overview);
    return 0;
  }
  if (name === '--version' || name === '-v') {
    streams.stdout.write(`${await installedVersion()}\n`);
    return 0;
  }
  if (command !== undefined) return command.run(others, streams);
  const isMissing = name === '' || name.startsWith('-');
  const why = isMissing ? 'no command was given' : `there is no command ${JSON.stringify(name)}`;
  return refuseUsage(streams, `${why}\nRun toolmend --help to see the commands.`);
}

/** The version of the package that this module belongs to, built or as source. */
async function installedVersion(): Promise<string> {
  const text = await readFile(packageFile('package.json'), 'utf8');
  const manifest = parseJson(text);
  return manifest.kind === 'read' ? String(memberOf(manifest.value, 'version')) : 'unknown';
}
