// `npm run start:nest`: starts the service, talks to it over HTTP, restarts it while a tool waits for
// an answer, goes on, and fails if a result differs from the expected one. With OPENAI_BASE_URL, OPENAI_API_KEY and MODEL set, a real model answers,
// and nothing is compared.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liveServerOf } from '../main-job/live-job.ts';
import { startModelServer } from '../main-job/scripted-model-server.ts';
import { createTerminal, type Terminal } from '../main-job/terminal.ts';
import { playConversation } from './played-conversation.ts';
import { nextShopStep, scriptedModelName } from './scripted-shop.ts';
import { createService } from './service.ts';

async function main(): Promise<void> {
  const live = liveServerOf(process.env);
  const terminal = createTerminal(
    process.stdout,
    process.env,
    live === undefined ? [] : [live.apiKey],
  );
  const scripted = live === undefined ? await startModelServer(nextShopStep) : undefined;
  const server = live ?? {
    baseURL: scripted?.baseURL ?? '',
    apiKey: 'none',
    model: scriptedModelName,
  };
  const folder = await mkdtemp(join(tmpdir(), 'nest-agent-'));
  const start = async () => {
    const app = await createService(server, ['error', 'warn'], folder);
    await app.listen(0, '127.0.0.1');
    return app;
  };
  try {
    let app = await start();
    const restart = async (): Promise<string> => {
      await app.close();
      app = await start();
      return app.getUrl();
    };
    try {
      const address = await app.getUrl();
      terminal.line(`The service listens on ${address}; ${server.model} answers.`);
      const differences = await playConversation(address, terminal, restart);
      if (live === undefined) reportDifferences(terminal, differences);
    } finally {
      await app.close();
    }
  } catch (error) {
    process.exitCode = 1;
    terminal.line(
      terminal.paint(
        'red',
        `The service did not work: ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
  } finally {
    await scripted?.close();
    await rm(folder, { recursive: true });
  }
}

function reportDifferences({ line, paint }: Terminal, differences: readonly string[]): void {
  line();
  if (differences.length === 0) {
    line(paint('green', 'The conversation and the orders came out as expected.'));
    return;
  }
  process.exitCode = 1;
  for (const difference of differences) line(paint('red', difference));
  line(paint('red', 'What came out is not what was expected.'));
}

await main();
