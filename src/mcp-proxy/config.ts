// The member `mcp` of toolmend.config.json: the servers behind `toolmend mcp`.
import { type RemoteOptions, remoteOptionKinds } from '../adapters/mcp/remote-options.ts';
import {
  type OptionKinds,
  anyObject,
  boolean,
  checkOptions,
  list,
  object,
  record,
  required,
  string,
} from '../options/check-options.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { parseJson } from '../json/parse.ts';
import type { Pins } from '../registry/interpret-call.ts';
import { type ServerCommand, environmentOf, fillVariables, missingVariable } from './channel.ts';
import type { HttpServer } from './http-channel.ts';
import type { ServerToolOptions } from './tools.ts';

/**
 * One server: a command as agents' settings have it, or a URL. `${NAME}` in `env` and `headers` is
 * a variable of the environment.
 */
export interface McpServerOptions extends Pick<RemoteOptions, 'overlay' | 'annotations'> {
  /** The program that is started. */
  readonly command?: string;
  /** Its arguments. */
  readonly args?: readonly string[];
  /** The variables of the server, beside PATH, HOME and the like. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its working directory. Default: that of the proxy. */
  readonly cwd?: string;
  /** The endpoint of a server over Streamable HTTP, instead of a command. */
  readonly url?: string;
  /** Sent with each request to the URL. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Before the names of its tools and prompts. Default: none for the only server, else its name
   * with `_`.
   */
  readonly prefix?: string;
  /**
   * Digests of accepted definitions, by shown name. Calls of all other tools are refused. Default:
   * all are accepted.
   */
  readonly pins?: Pins;
}

/** The member `mcp` of toolmend.config.json. */
export interface McpOptions {
  /** The servers by name. */
  readonly servers: Readonly<Record<string, McpServerOptions>>;
  /** Hints are added to the descriptions of tools. Default: true. */
  readonly hints?: boolean;
}

const serverKinds: OptionKinds<McpServerOptions> = {
  command: string,
  args: list(string),
  env: record(string, 'write an object of strings by name'),
  cwd: string,
  url: string,
  headers: record(string, 'write an object of strings by name'),
  prefix: remoteOptionKinds.prefix,
  overlay: remoteOptionKinds.overlay,
  annotations: remoteOptionKinds.annotations,
  pins: record(string, 'write an object of digests by tool name'),
};

const mcpOptionKinds: OptionKinds<McpOptions> = {
  servers: required(record(object(serverKinds), 'write { name: { command, args } }')),
  hints: boolean,
};

/** What `toolmend mcp` reads of toolmend.config.json. */
interface McpConfig {
  /** The servers, and how their tools are shown. */
  readonly mcp?: McpOptions;
  /** Read by `toolmend gateway` alone. */
  readonly gateway?: object;
}

const configKinds: OptionKinds<McpConfig> = {
  mcp: required(object(mcpOptionKinds, 'write { "mcp": { "servers": { … } } }')),
  gateway: anyObject('write an object'),
};

/** A server and how its tools are shown. */
export interface ConfiguredServer {
  readonly name: string;
  readonly server: ServerCommand | HttpServer;
  readonly prefix: string;
  readonly tools: ServerToolOptions;
}

const maxDepth = 64;

/**
 * The servers in the text of a configuration file. Throws a DefinitionError with everything that is
 * wrong in it.
 */
export function serversIn(text: string, file: string): readonly ConfiguredServer[] {
  const reading = parseJson(text.replace(/^\uFEFF/, ''), maxDepth);
  if (reading.kind !== 'read')
    throw problem(file, 'is not JSON', 'write { "mcp": { "servers": { … } } }');
  checkOptions(file, reading.value, configKinds);
  const { mcp }: McpConfig = Object(reading.value);
  const servers = Object.entries(mcp?.servers ?? {});
  if (servers.length === 0)
    throw problem(file, 'names no server', 'write servers: { name: { command, args } }');
  return servers.map(([name, settings]) => {
    const {
      prefix = servers.length === 1 ? '' : `${name}_`,
      overlay,
      annotations,
      pins,
    } = settings;
    const tools: ServerToolOptions = {
      prefix,
      hints: mcp?.hints ?? true,
      ...(overlay === undefined ? {} : { overlay }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(pins === undefined ? {} : { pins }),
    };
    return { name, prefix, tools, server: addressOf(`${file}: ${name}`, settings) };
  });
}

function addressOf(where: string, settings: McpServerOptions): ServerCommand | HttpServer {
  const { command, args = [], env = {}, cwd, url, headers = {} } = settings;
  if ((command === undefined) === (url === undefined))
    throw problem(where, 'needs either command or url', 'write one of them');
  if (command !== undefined)
    return {
      command,
      args,
      env: { ...environmentOf([]), ...withVariables(where, 'env', env) },
      ...(cwd === undefined ? {} : { cwd }),
    };
  const address = URL.parse(url ?? '');
  if (address === null || !/^https?:$/.test(address.protocol))
    throw problem(where, 'has a url that is not one of http or https', 'write https://…');
  const entries = Object.entries(withVariables(where, 'headers', headers)).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return { url: address, headers: Object.fromEntries(entries) };
}

/** The values with variables of the environment in place. */
const withVariables = (
  where: string,
  member: 'env' | 'headers',
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const variable = missingVariable(value);
      if (variable === undefined) return [name, fillVariables(value)];
      throw problem(
        where,
        `needs the environment variable ${variable} for ${member}.${name}`,
        'set it',
      );
    }),
  );

const problem = (where: string, what: string, instead: string): DefinitionError =>
  new DefinitionError([{ where, what, instead }]);
