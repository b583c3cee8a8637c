// `npm start`: replays reported calls of many models against six tools, and fails if a result
// differs from the expected one. With OPENAI_BASE_URL, OPENAI_API_KEY and MODEL set, a real model
// does the job, and nothing is compared.
import { expectedFiles } from './expected-files.ts';
import { differencesFrom } from './expectations.ts';
import { showResult } from './job-view.ts';
import { type LiveServer, liveServerOf, runLiveJob } from './live-job.ts';
import { playRecordedJob } from './recorded-job.ts';
import { readRecordedCalls } from './recorded-calls.ts';
import { startingFiles } from './starting-files.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import { Workspace } from './workspace.ts';

async function main(): Promise<void> {
  const server = liveServerOf(process.env);
  const terminal = createTerminal(
    process.stdout,
    process.env,
    server === undefined ? [] : [server.apiKey],
  );
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  try {
    await (server === undefined
      ? playRecorded(terminal, interruption.signal)
      : playLive(terminal, server, interruption.signal));
  } catch (error) {
    process.exitCode = 1;
    terminal.line(terminal.paint('red', `The job did not end: ${reasonOf(error)}`));
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

async function playRecorded(terminal: Terminal, signal: AbortSignal): Promise<void> {
  const scripts = readRecordedCalls();
  const workspace = await Workspace.create(startingFiles);
  try {
    terminal.line(`Replaying the calls of ${scripts.length} models in ${workspace.root}`);
    const report = await playRecordedJob({ scripts, workspace, terminal, signal });
    showResult(terminal, report.stats, report.files);
    reportDifferences(
      terminal,
      differencesFrom(scripts, expectedFiles, report),
      report.calls.length,
    );
  } finally {
    await workspace.remove();
  }
}

function reportDifferences(
  { line, paint }: Terminal,
  differences: readonly string[],
  count: number,
): void {
  line();
  if (differences.length === 0) {
    line(paint('green', `All ${count} calls and all files came out as expected.`));
    return;
  }
  process.exitCode = 1;
  for (const difference of differences) line(paint('red', difference));
  line(paint('red', 'What came out is not what was expected.'));
}

async function playLive(
  terminal: Terminal,
  server: LiveServer,
  signal: AbortSignal,
): Promise<void> {
  const workspace = await Workspace.create(startingFiles);
  terminal.line(
    `The model works in ${workspace.root}, which stays. Its programs run on this machine.`,
  );
  await runLiveJob(server, workspace, terminal, signal);
}

await main();
