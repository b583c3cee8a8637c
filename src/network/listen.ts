import { once } from 'node:events';
import type { Server } from 'node:net';
import { ToolmendError } from '../errors/errors.ts';
import { memberOf } from '../collections/objects.ts';
import { printable } from '../json/preview.ts';

export interface ListenAddress {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
}

/** Where a server listens. */
export interface Listening {
  /** `http://127.0.0.1:4141`, which programs and browsers of this computer can open. */
  readonly origin: string;
  readonly port: number;
  /** Whether the address stands for all of this computer, as `0.0.0.0` does. */
  readonly isOnAllInterfaces: boolean;
}

/**
 * Milliseconds that a connection stays open without a request. Clients keep theirs for a minute or
 * less: a request on a connection that the server is closing fails. Node's default is 5,000.
 */
const idleConnectionMs = 65_000;

/** Begins to listen. Rejects with a ToolmendError if the address can't be used. */
export async function listen(
  server: Server & { keepAliveTimeout: number },
  { host, port }: ListenAddress,
): Promise<Listening> {
  server.keepAliveTimeout = idleConnectionMs;
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ToolmendError('listen', whyNot(error, { host, port }), { cause: error });
  }
  const bound = server.address();
  const actual = typeof bound === 'object' && bound !== null ? bound : { port, address: host };
  // No client can send to an address that stands for all.
  const loopback = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ]).get(actual.address);
  const name = loopback ?? host;
  return {
    origin: `http://${name.includes(':') ? `[${name}]` : name}:${actual.port}`,
    port: actual.port,
    isOnAllInterfaces: loopback !== undefined,
  };
}

function whyNot(error: unknown, { host, port }: ListenAddress): string {
  const place = printable(host, 100);
  const code = memberOf(error, 'code');
  if (code === 'EADDRINUSE')
    return `port ${port} of ${place} is in use: pass another one with --port N, or --port 0 for a free one`;
  if (code === 'EACCES')
    return `port ${port} of ${place} is not allowed to this user: pass one from 1024 on with --port N`;
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].some((one) => one === code))
    return `${place} is not an address of this computer: pass one with --host ADDRESS, such as 127.0.0.1`;
  return `${place} port ${port} can't be listened on (${error instanceof Error ? error.message : String(error)})`;
}
