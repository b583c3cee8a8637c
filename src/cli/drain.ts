import { once } from 'node:events';
import type { Streams } from './report.ts';

/** A server that can let open answers go on. */
interface DrainingServer {
  /** How many requests have no complete answer yet. */
  readonly open: number;
  /** Takes no new requests, waits for the answers of open ones, and closes. */
  drain(limitMs: number): Promise<void>;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

interface DrainOptions {
  /** What ends, such as `the gateway`. */
  readonly what: string;
  readonly drainMs: number;
  readonly signals: readonly NodeJS.Signals[];
}

export async function nextSignal(signals: readonly NodeJS.Signals[]): Promise<void> {
  await Promise.race(signals.map((signal) => once(process, signal)));
}

/** Lets open answers go on for a time. A second signal ends them at once. */
export async function endServer(
  server: DrainingServer,
  { what, drainMs, signals }: DrainOptions,
  { stderr }: Streams,
): Promise<void> {
  const stopSignal = nextSignal(signals);
  const { open } = server;
  const answers = open === 1 ? 'answer' : 'answers';
  if (open > 0)
    stderr.write(
      `toolmend: waiting for ${open} open ${answers}, at most ${drainMs / 1_000} s. ` +
        `Another signal ends ${what} at once.\n`,
    );
  await Promise.race([server.drain(drainMs), stopSignal]);
  await server.close();
}
