// Plays the scripts of all models, one after the other, in one workspace.
import OpenAI from 'openai';
import { runAgent } from './agent-loop.ts';
import type { PlayedCall } from './chat-history.ts';
import type { JobReport } from './job-report.ts';
import { showCall, showModel } from './job-view.ts';
import type { ModelScript } from './recorded-calls.ts';
import { startScriptedModelServer } from './scripted-model-server.ts';
import { task } from './starting-files.ts';
import { excerpt, type Terminal } from './terminal.ts';
import { createToolset, type Toolset } from './toolset.ts';
import type { Workspace } from './workspace.ts';

export interface RecordedJob {
  readonly scripts: readonly ModelScript[];
  readonly workspace: Workspace;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Plays all scripts against a server on loopback. */
export async function playRecordedJob(job: RecordedJob): Promise<JobReport> {
  const server = await startScriptedModelServer(job.scripts);
  try {
    const toolset = createToolset(job.workspace);
    const client = new OpenAI({ baseURL: server.baseURL, apiKey: 'none is needed', maxRetries: 0 });
    const calls: PlayedCall[] = [];
    for (const script of job.scripts)
      calls.push(...(await playScript(job, script, client, toolset)));
    return { calls, stats: toolset.stats.snapshot(), files: await job.workspace.contents() };
  } finally {
    await server.close();
  }
}

async function playScript(
  { terminal, signal }: RecordedJob,
  { model, calls }: ModelScript,
  client: OpenAI,
  { tools }: Toolset,
): Promise<readonly PlayedCall[]> {
  const played: PlayedCall[] = [];
  const onCall = (call: PlayedCall): void => {
    showCall(terminal, call, calls[played.length]?.source);
    played.push(call);
  };
  showModel(terminal, model);
  const words = await runAgent(
    { client, model, tools, mostTurns: calls.length + 1, signal, onCall },
    task,
  );
  if (played.length < calls.length) terminal.line(`  ${excerpt(words ?? '', 400)}`);
  return played;
}
