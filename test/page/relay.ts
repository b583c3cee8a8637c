// An address whose server comes and goes. A server that is started again at its old port may find it
// taken.
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';

export interface Relay {
  /** Ends with a slash. */
  readonly url: string;
  /** Leads to this server from now on; undefined: to none. Ends the open connections. */
  lead(url: string | undefined): void;
  close(): void;
}

/** Passes connections on to the server at this URL. */
export async function startRelay(url: string): Promise<Relay> {
  let port: number | undefined = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    if (port === undefined) return void socket.destroy();
    const onward = connect(port, '127.0.0.1');
    return void pipeline(socket, onward, socket, () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    lead(next) {
      port = next === undefined ? undefined : Number(new URL(next).port);
      endAll();
    },
    close() {
      endAll();
      server.close();
    },
  };
}
