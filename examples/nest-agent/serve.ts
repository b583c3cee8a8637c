// `npm run serve`: starts the service and keeps it running. Reads PORT, SHOP_DATA (a folder for its
// data) and the variables of a real model.
import { liveServerOf } from '../main-job/live-job.ts';
import { startModelServer } from '../main-job/scripted-model-server.ts';
import { createTerminal } from '../main-job/terminal.ts';
import { conversation, nextShopStep, scriptedModelName } from './scripted-shop.ts';
import { createService } from './service.ts';

const live = liveServerOf(process.env);
const terminal = createTerminal(
  process.stdout,
  process.env,
  live === undefined ? [] : [live.apiKey],
);
// It runs until the process ends.
const scripted = live === undefined ? await startModelServer(nextShopStep) : undefined;
const server = live ?? {
  baseURL: scripted?.baseURL ?? '',
  apiKey: 'none',
  model: scriptedModelName,
};

const app = await createService(server, ['log', 'error', 'warn'], process.env['SHOP_DATA']);
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');

const address = await app.getUrl();
terminal.line(`\n${server.model} answers. A conversation:\n`);
terminal.line(`curl -X POST ${address}/chats -H 'authorization: Bearer token-of-ada'`);
terminal.line(
  `curl -N ${address}/chats/ID/messages -H 'authorization: Bearer token-of-ada' -H 'content-type: application/json' \\\n` +
    `  -d '${JSON.stringify({ text: conversation[0]?.customer })}'`,
);
