// How a command ends its server on signals.
import { endServer, listenForSignals } from '../../src/cli/drain.ts';
import { main } from '../../src/cli/main.ts';
import { signalTo } from './signal-to.ts';

const noStreams = { stdout: { write: () => true }, stderr: { write: () => true } };

test('a second signal ends the server at once, also if it comes together with the first', async () => {
  const signal = signalTo('SIGUSR2');
  const signals = listenForSignals(['SIGUSR2']);
  signal.send();
  signal.send();
  await signals.first;
  let isClosed = false;
  const server = {
    open: 1,
    drain: () => new Promise<void>(() => undefined),
    close: async () => void (isClosed = true),
  };
  await endServer(server, { what: 'the server', drainMs: 60_000, signals }, noStreams);

  expect(isClosed).toBe(true);
  expect(signal.addedCount).toBe(0);
});

test.each([
  ['gateway', ['--upstream', 'http://127.0.0.1:9/v1']],
  ['mcp', ['--port', '0', '--url', 'http://127.0.0.1:9/mcp']],
])('%s hears a signal as soon as it says where it listens', async (name, args) => {
  let printed = '';
  const signal = signalTo('SIGTERM');
  const write = (text: string): void => {
    printed += text;
    // Two, which also take the listeners away.
    signal.send();
    signal.send();
  };
  const streams = { stdout: { write }, stderr: { write: () => undefined } };

  expect(await main([name, ...args], streams)).toBe(0);
  expect(printed).toContain('listens');
});
