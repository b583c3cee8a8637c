// A server that speaks as much of PostgreSQL's protocol as a driver needs, and breaks where a test
// wants it: https://www.postgresql.org/docs/current/protocol-message-formats.html
import { type Socket, createServer } from 'node:net';

const message = (type: string, ...parts: readonly (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};

const authenticationOk = message('R', Buffer.alloc(4));
const passwordWanted = message('R', Buffer.from([0, 0, 0, 3]));
const readyForQuery = message('Z', 'I');
const commandComplete = message('C', 'SELECT 0\0');
/** One row `locked` with a true boolean. */
const locked = Buffer.concat([
  message(
    'T',
    '\0\x01locked\0',
    // Table, column, type (boolean), size, modifier, format (text).
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 1, 255, 255, 255, 255, 0, 0]),
  ),
  message('D', '\0\x01\0\0\0\x01t'),
]);
const fatal = message(
  'E',
  'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
);

/** What follows `ReadyForQuery` in the same packet. */
const faults = {
  'a FATAL': fatal,
  'two FATAL': Buffer.concat([fatal, fatal]),
  'an unknown message': message('?', 'x'),
  'an unexpected row': message('D', Buffer.alloc(2)),
  'the end of the connection': Buffer.alloc(0),
} as const;
export type Fault = keyof typeof faults;
export const faultNames: readonly Fault[] = [
  'a FATAL',
  'two FATAL',
  'an unknown message',
  'an unexpected row',
  'the end of the connection',
];

/**
 * Every statement has no rows, but one that tries to lock. `breakFrom`: the first `ReadyForQuery` that the fault follows.
 * `passwords`: gets those that clients send; without it, none is asked for.
 */
export async function startFakePostgres(fault: Fault, breakFrom: number, passwords?: string[]) {
  let ready = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    let isStarted = false;
    socket.on('data', (data) => {
      if (!isStarted && passwords !== undefined && data[0] !== 'p'.charCodeAt(0)) {
        socket.write(passwordWanted);
        return;
      }
      if (!isStarted) passwords?.push(data.toString('utf8', 5, data.length - 1));
      const isStartup = !isStarted;
      isStarted = true;
      // A statement with parameters ends with Sync, any other is one Query.
      const isAsked = isStartup || data[0] === 'Q'.charCodeAt(0) || data.includes('S\0\0\0\x04');
      if (!isAsked) return;
      ready += 1;
      const isBroken = ready >= breakFrom;
      const answer = [
        ...(data.includes('pg_try_advisory_lock') ? [locked] : []),
        isStartup ? authenticationOk : commandComplete,
        readyForQuery,
      ];
      socket.write(Buffer.concat(isBroken ? [...answer, faults[fault]] : answer));
      if (isBroken) socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
