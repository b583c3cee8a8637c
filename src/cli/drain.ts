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
  readonly signals: StopSignals;
}

/** Signals to end the process, which are counted from `listenForSignals` on. */
export interface StopSignals {
  readonly first: Promise<void>;
  readonly second: Promise<void>;
}

/**
 * To be called before anything says that the process is ready: the signal of whoever reads that
 * would kill it. A second signal may come before the first one has an effect.
 */
export function listenForSignals(names: readonly NodeJS.Signals[]): StopSignals {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isSecond = false;
  const count = (): void => {
    if (isSecond) for (const name of names) process.off(name, count);
    (isSecond ? second : first).resolve();
    isSecond = true;
  };
  for (const name of names) process.on(name, count);
  return { first: first.promise, second: second.promise };
}

/** Lets open answers go on for a time. A second signal ends them at once. */
export async function endServer(
  server: DrainingServer,
  { what, drainMs, signals }: DrainOptions,
  { stderr }: Streams,
): Promise<void> {
  const { open } = server;
  const answers = open === 1 ? 'answer' : 'answers';
  if (open > 0)
    stderr.write(
      `toolmend: waiting for ${open} open ${answers}, at most ${drainMs / 1_000} s. ` +
        `Another signal ends ${what} at once.\n`,
    );
  await Promise.race([server.drain(drainMs), signals.second]);
  await server.close();
}
