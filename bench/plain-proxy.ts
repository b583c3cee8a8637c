// Passes everything on to the server of its first argument, with Node's own HTTP: what a gateway is
// compared with.
import { Agent, createServer, request } from 'node:http';

const upstream = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });

// No connection is closed while a request is on its way.
const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => {
  const { method, url: path, headers } = incoming;
  const sent = request({
    agent,
    host: upstream.hostname,
    port: upstream.port,
    method,
    path,
    headers,
  });
  sent.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  incoming.pipe(sent);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(
    `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1`,
  );
});
