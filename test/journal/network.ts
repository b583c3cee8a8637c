import { type Socket, connect, createServer } from 'node:net';

/** A network in front of a server. After `cut` it drops every packet, and tells nobody. */
export async function openNetwork(connectionString: string) {
  const { hostname, port } = new URL(connectionString);
  const sockets = new Set<Socket>();
  let isCut = false;
  let answerLost: string | undefined;
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (isCut || from.destroyed) return;
        to.write(data);
        if (from === far || answerLost === undefined || !data.includes(answerLost)) return;
        answerLost = undefined;
        far.removeAllListeners('data');
        far.once('data', () => near.destroy());
      });
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    cut: () => void (isCut = true),
    /** Breaks the connection after the next statement with this text has been run. */
    loseAnswer: (text: string) => void (answerLost = text),
    heal: () => void (isCut = false),
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
