// Gives the tools and a task to a real model on any OpenAI-compatible server.
import OpenAI from 'openai';
import { runAgent } from './agent-loop.ts';
import { showCall, showModel, showResult } from './job-view.ts';
import { task } from './starting-files.ts';
import { excerpt, type Terminal } from './terminal.ts';
import { createToolset } from './toolset.ts';
import type { Workspace } from './workspace.ts';

export interface LiveServer {
  readonly baseURL: string;
  /** Never shown. */
  readonly apiKey: string;
  readonly model: string;
}

const mostTurns = 20;

/** The server in the environment; undefined unless address, key and model are set. */
export function liveServerOf(
  environment: Readonly<Record<string, string | undefined>>,
): LiveServer | undefined {
  const {
    OPENAI_BASE_URL: baseURL = '',
    OPENAI_API_KEY: apiKey = '',
    MODEL: model = '',
  } = environment;
  return baseURL === '' || apiKey === '' || model === '' ? undefined : { baseURL, apiKey, model };
}

/** Runs until the model answers in words. Rejects if the server can't be reached. */
export async function runLiveJob(
  server: LiveServer,
  workspace: Workspace,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const { baseURL, apiKey, model } = server;
  const { tools, stats } = createToolset(workspace);
  const client = new OpenAI({ baseURL, apiKey });
  showModel(terminal, model);
  const onCall = (played: Parameters<typeof showCall>[1]): void => showCall(terminal, played);
  const words = await runAgent({ client, model, tools, mostTurns, signal, onCall }, task);
  terminal.line(
    `  ${words === undefined ? `no end after ${mostTurns} turns` : excerpt(words, 400)}`,
  );
  showResult(terminal, stats.snapshot(), await workspace.contents());
}
