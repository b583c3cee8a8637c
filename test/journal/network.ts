import { type Socket, connect, createServer } from 'node:net';

/** A network in front of a server. After `cut` it drops every packet, and tells nobody. */
export async function openNetwork(connectionString: string) {
  const { hostname, port } = new URL(connectionString);
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => void (isCut || to.write(data)));
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    cut: () => void (isCut = true),
    heal: () => void (isCut = false),
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
