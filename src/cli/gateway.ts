import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type Gateway, startGateway } from '../gateway/server.ts';
import { type Streams, refuse, whyNotParsed } from './report.ts';

export const gatewayUsage = `gateway stands between an agent and the servers of its models, and repairs the tool calls of their answers.

  --upstream URL   the server's base URL, as the agent had it
  --port N         the port to listen on; default: a free one
`;

/** Runs the gateway until the process is asked to end. Returns the exit code. */
export async function runGateway(args: readonly string[], streams: Streams): Promise<number> {
  const read = readArguments(args);
  if (typeof read === 'string') return refuse(streams, `${read}\nRun toolmend --help to see what there is.`);
  let gateway: Gateway;
  try {
    gateway = await startGateway(read);
  } catch (error) {
    return refuse(
      streams,
      `the gateway can't listen (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  streams.stdout.write(`toolmend gateway listens. Set the agent's base URL to ${gateway.url}\n`);
  await stopped;
  await gateway.close();
  return 0;
}

/** The options, or why they can't be read. */
function readArguments(args: readonly string[]): Parameters<typeof startGateway>[0] | string {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: { upstream: { type: 'string' }, port: { type: 'string' } },
    }));
  } catch (error) {
    return whyNotParsed(error);
  }
  const { upstream, port = '0' } = values;
  if (upstream === undefined) return 'gateway needs --upstream with the base URL of a server';
  const url = URL.parse(upstream);
  if (url === null || !/^https?:$/.test(url.protocol))
    return `--upstream is not a URL that begins with http: or https:`;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return '--port is not a number from 0 to 65535';
  return {
    upstreams: [{ url, models: [], key: undefined }],
    host: '127.0.0.1',
    port: Number(port),
    token: undefined,
    allowedHosts: [],
    allowedOrigins: [],
  };
}
