// The MCP server that a command's arguments name.
import {
  type ServerCommand,
  environmentOf,
  fillVariables,
  missingVariable,
} from '../mcp-proxy/channel.ts';
import type { HttpServer } from '../mcp-proxy/http-channel.ts';
import { printable } from '../json/preview.ts';

/** The command of a server, or why it can't be started. `env`: names of variables that it gets. */
export function readCommand(
  [command = '', ...args]: readonly string[],
  env: readonly string[] = [],
): ServerCommand | string {
  const variable = env.find((name) => process.env[name] === undefined);
  if (variable !== undefined)
    return `--env ${printable(variable)}: the environment has no such variable`;
  return { command, args, env: environmentOf(env) };
}

/** The URL of a server, or why it can't be used. `headers`: as `NAME: VALUE`. */
export function readUrl(text: string, headers: readonly string[] = []): HttpServer | string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return '--url is not a URL of http or https';
  if (url.username !== '' || url.password !== '')
    return '--url has a user name or a password: send them from a variable, as in: --header "Authorization: Basic ${BASIC}"';
  const entries: (readonly [string, string])[] = [];
  for (const header of headers) {
    const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(header) ?? [];
    if (name === '')
      return '--header is not a name and a value, as in: --header "Authorization: Bearer ${TOKEN}"';
    const variable = missingVariable(value);
    if (variable !== undefined)
      return `--header ${name} needs the environment variable ${variable}: set it`;
    entries.push([name.toLowerCase(), fillVariables(value)]);
  }
  return { url, headers: Object.fromEntries(entries) };
}
