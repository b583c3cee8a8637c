// The options of the gateway: toolmend.config.json, the command's options, and what they mean.
import {
  type OptionKinds,
  anyObject,
  boolean,
  checkOptions,
  count,
  either,
  kindWithHint,
  list,
  object,
  oneOfWords,
  record,
  required,
  string,
} from '../options/check-options.ts';
import type { LearningMode } from '../learning/learned-hints.ts';
import { DefinitionError, type DefinitionProblem } from '../errors/definition-error.ts';
import { plainJson } from '../json/parse.ts';
import { ownValue } from '../collections/objects.ts';
import type { CallsMeant } from '../interpret/offered-tool.ts';
import { type JsonObject, isJsonObject } from '../json/value.ts';
import { durationForm, durationIn } from '../options/duration.ts';
import { hostRule, isLoopbackAddress, originRule } from '../network/access.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import type { Effects } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import { allEffects } from '../wire/tool-effects.ts';
import type { ProxyEnvironment } from '../network/outgoing-agents.ts';
import type { Upstream } from './upstream.ts';

/** One server in the configuration. */
export interface UpstreamSettings {
  /** The base URL, as the agent would have it: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  /**
   * Models whose requests go here; `*` stands for any characters. Default: all that no other
   * upstream names.
   */
  readonly models?: readonly string[];
  /**
   * The environment variable with the API key. Default: the key that the client sends is passed on.
   */
  readonly keyFrom?: string;
}

/** Where the arguments of a tool have the call of another tool. */
export interface DispatchSettings {
  /** The argument with the name of the inner tool. */
  readonly name: string;
  /** The argument with its arguments, an object. */
  readonly arguments: string;
  /**
   * The JSON Schemas of all inner tools, by name. Default: the other tools of the request; the
   * arguments of inner tools that it doesn't have are not judged.
   */
  readonly tools?: Readonly<Record<string, JsonObject>>;
}

/** The member `gateway` of toolmend.config.json. */
export interface GatewaySettings {
  /** The servers that answer. At least one, here or with `--upstream`. */
  readonly upstreams?: readonly UpstreamSettings[];
  /** The address to listen on. Default: `127.0.0.1`. Any other than loopback needs `tokenFrom`. */
  readonly host?: string;
  /** Default: 0, a free port. */
  readonly port?: number;
  /** The environment variable with the token that clients must send. */
  readonly tokenFrom?: string;
  /** Host names that requests may name, beside loopback's. */
  readonly allowedHosts?: readonly string[];
  /** Origins of pages that may send requests, beside loopback's. */
  readonly allowedOrigins?: readonly string[];
  /**
   * A call that can't be repaired is passed on as sent, or the answer becomes an error. Default:
   * `pass`.
   */
  readonly onInvalid?: 'pass' | 'reject';
  /** How often the model is asked again if a call can't be repaired. Default: 0. */
  readonly retries?: number;
  /**
   * Calls that the server left in the text become calls. `all`: by the rules of `readCalls`.
   * `marked`: tools whose effects aren't known are called as destructive ones are. True is `all`.
   * Default: false, they stay text.
   */
  readonly callsInText?: CallsMeant | boolean;
  /**
   * The effects of tools by name, in which `*` stands for any characters; the first pattern counts.
   * Default: what the request says, by `effects` of a tool or MCP's `annotations`.
   */
  readonly effects?: Readonly<Record<string, Effects>>;
  /**
   * Tools that call other tools, by name, in which `*` stands for any characters; the first pattern
   * counts. The arguments of the inner tool are judged by its schema. Default: none.
   */
  readonly dispatches?: Readonly<Record<string, DispatchSettings>>;
  /**
   * Hints are added to the descriptions of tools. `learn`: also sentences about what a model often
   * gets wrong, as long as they help. Default: false; what would help is counted and shown.
   */
  readonly hints?: boolean | 'learn';
  /** The file with the counts of hints that learn. Default: they end with the process. */
  readonly hintsFile?: string;
  /**
   * Sentences for the descriptions of tools by name, in which `*` stands for any characters. Default:
   * none.
   */
  readonly toolHints?: Readonly<Record<string, readonly string[]>>;
  /**
   * Tools get the schemas of this provider, for servers that take only a part of JSON Schema.
   * Default: as they came.
   */
  readonly schemasFor?: SchemaTarget;
  /**
   * Tools say `strict: true`, so that servers with grammars constrain their arguments. It is left out
   * for an upstream and a model that refused it. Default: false.
   */
  readonly strict?: boolean;
  /** The file to which a line is written for each call. */
  readonly log?: string;
  /** The lines have schemas and arguments. Default: false. */
  readonly logContents?: boolean;
  /** Standard output gets a line for each request. Default: false. */
  readonly accessLog?: boolean;
  /**
   * How long open answers may go on after the process was asked to end: `500ms`, `30s`, `5m`.
   * Default: `30s`.
   */
  readonly drain?: string;
}

/** Providers whose schemas are JSON Schema in the members that all APIs have. */
export type SchemaTarget =
  'openai' | 'openai-strict' | 'anthropic' | 'mistral' | 'ollama' | 'grammar';
const schemaTargets: readonly SchemaTarget[] = [
  'openai',
  'openai-strict',
  'anthropic',
  'mistral',
  'ollama',
  'grammar',
];

const variable = kindWithHint(string, 'write the name of an environment variable');

const httpUrl = 'write a URL that begins with http:// or https://';

const upstreamKinds: OptionKinds<UpstreamSettings> = {
  url: required({
    accepts: (value) => typeof value === 'string' && whyNoUpstream(value) === undefined,
    instead: httpUrl,
    // A URL may have a password: none is printed.
    problemsIn: (where, value, path) => {
      const why = typeof value === 'string' ? whyNoUpstream(value) : undefined;
      return why === undefined ? [] : [{ where: `${where}: ${path}`, ...why }];
    },
  }),
  models: list(string, 'write an array of names'),
  keyFrom: variable,
};

const hostName = 'write a name without a scheme, such as gateway.example.com';
const originName = 'write a scheme and a name, such as https://chat.example.com';

const dispatchKinds: OptionKinds<DispatchSettings> = {
  name: required(kindWithHint(string, 'write the argument that has the name of a tool')),
  arguments: required(kindWithHint(string, 'write the argument that has the arguments for it')),
  tools: record(
    anyObject('write a JSON Schema of an object'),
    "write an object of JSON Schemas by name, { read_file: { type: 'object', … } }",
  ),
};

const settingKinds: OptionKinds<GatewaySettings> = {
  upstreams: list(object(upstreamKinds), 'write an array of { url, models, keyFrom }'),
  host: string,
  port: {
    accepts: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535,
    instead: 'write a number from 0 to 65535',
  },
  tokenFrom: variable,
  allowedHosts: list(
    {
      accepts: (name) => typeof name === 'string' && hostRule(name) !== undefined,
      instead: hostName,
    },
    'write an array of names',
  ),
  allowedOrigins: list(
    {
      accepts: (name) => typeof name === 'string' && originRule(name) !== undefined,
      instead: originName,
    },
    'write an array of origins, such as https://chat.example.com',
  ),
  onInvalid: oneOfWords('pass', 'reject'),
  retries: count(0),
  callsInText: either(
    "write 'all', or 'marked' to treat tools with unknown effects as destructive ones",
    oneOfWords('marked', 'all'),
    boolean,
  ),
  effects: record(oneOfWords(...allEffects), 'write an object of effects by name'),
  dispatches: record(
    object(dispatchKinds, "write { name: 'tool_name', arguments: 'parameters' }"),
    "write an object by name, { call_tool: { name: 'tool_name', arguments: 'parameters' } }",
  ),
  hints: either("write true, or 'learn'", oneOfWords('learn'), boolean),
  hintsFile: string,
  toolHints: record(
    list(string, 'write an array of sentences'),
    "write an object of sentences by name, { read_file: ['…'] }",
  ),
  schemasFor: oneOfWords(...schemaTargets),
  strict: boolean,
  log: string,
  logContents: boolean,
  accessLog: boolean,
  drain: {
    accepts: (value) => typeof value === 'string' && durationIn(value) !== undefined,
    instead: durationForm,
  },
};

export const configFile = 'toolmend.config.json';

/** Checked settings. Throws a DefinitionError that names each unknown and ill-valued one. */
export function checkedSettings(where: string, settings: object): GatewaySettings {
  return areSettings(where, settings) ? settings : {};
}

function areSettings(where: string, settings: object): settings is GatewaySettings {
  checkOptions(where, settings, settingKinds);
  return true;
}

/**
 * The gateway's settings in the text of a configuration file. Throws a DefinitionError for anything
 * else.
 */
export function settingsIn(text: string): GatewaySettings {
  const config = plainJson(text.replace(/^\uFEFF/, ''));
  if (config === undefined)
    throw new DefinitionError([
      { where: configFile, what: 'is not JSON', instead: 'write { "gateway": { … } }' },
    ]);
  checkOptions(configFile, config, {
    gateway: object(settingKinds),
    mcp: anyObject('write an object'),
  });
  const gateway = isJsonObject(config) ? ownValue(config, 'gateway') : undefined;
  return isJsonObject(gateway) ? checkedSettings(configFile, gateway) : {};
}

/** Everything that a running gateway needs to know. */
export interface GatewayOptions {
  readonly upstreams: readonly Upstream[];
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly onInvalid: 'pass' | 'reject';
  readonly retries: number;
  /** undefined: they are reported, and stay text. */
  readonly callsInText: CallsMeant | undefined;
  readonly effects: Readonly<Record<string, Effects>>;
  readonly dispatches: Readonly<Record<string, DispatchSettings>>;
  readonly hints: boolean;
  readonly toolHints: Readonly<Record<string, readonly string[]>>;
  readonly learn: LearningMode;
  readonly hintsFile: string | undefined;
  readonly schemasFor: SchemaTarget | undefined;
  readonly strict: boolean;
  /** Milliseconds that open answers may go on after the process was asked to end. */
  readonly drainMs: number;
  readonly proxies: ProxyEnvironment;
}

/**
 * Settings with their defaults, and the keys that the environment has. Throws a DefinitionError for
 * what is missing.
 */
export function gatewayOptions(
  settings: GatewaySettings,
  environment: NodeJS.ProcessEnv,
): GatewayOptions {
  const { upstreams = [], host = '127.0.0.1', tokenFrom } = settings;
  const valueOf = (name: string, what: string): string => {
    const value = environment[name];
    if (value !== undefined && value !== '') return value;
    throw problem(`reads ${what} from ${name}, which the environment does not have`, `set ${name}`);
  };
  if (upstreams.length === 0)
    throw problem(
      'has no upstream',
      'pass --upstream with the base URL of a server, or write upstreams in toolmend.config.json',
    );
  if (!isLoopbackAddress(host) && tokenFrom === undefined)
    throw problem(
      `listens on ${host}, beyond this computer, without a token`,
      'set tokenFrom, or --token-env',
    );
  for (const { tools = {} } of Object.values(settings.dispatches ?? {})) requireUsable(tools);
  const idle = withoutEffect(settings);
  if (idle.length > 0) throw new DefinitionError(idle);
  return {
    upstreams: upstreams.map(({ url, models = [], keyFrom }) => ({
      url: new URL(url),
      models,
      key: keyFrom === undefined ? undefined : valueOf(keyFrom, 'a key'),
    })),
    host,
    port: settings.port ?? 0,
    token: tokenFrom === undefined ? undefined : valueOf(tokenFrom, 'its token'),
    allowedHosts: (settings.allowedHosts ?? []).map((name) => hostRule(name) ?? name),
    allowedOrigins: (settings.allowedOrigins ?? []).map((name) => originRule(name) ?? name),
    onInvalid: settings.onInvalid ?? 'pass',
    retries: settings.retries ?? 0,
    callsInText: callsMeant(settings.callsInText),
    effects: settings.effects ?? {},
    dispatches: settings.dispatches ?? {},
    hints: (settings.hints ?? false) !== false,
    toolHints: settings.toolHints ?? {},
    learn: settings.hints === 'learn' ? 'on' : 'report',
    hintsFile: settings.hintsFile,
    schemasFor: settings.schemasFor,
    strict: settings.strict ?? false,
    drainMs: durationIn(settings.drain ?? '30s') ?? 0,
    proxies: environment,
  };
}

/** Throws a DefinitionError for a schema that can't be used for validation. */
function requireUsable(schemas: NonNullable<DispatchSettings['tools']>): void {
  for (const [name, inputSchema] of Object.entries(schemas))
    validatorOf(contractFromSchema({ name, inputSchema }));
}

const callsMeant = (setting: GatewaySettings['callsInText'] = false): CallsMeant | undefined =>
  typeof setting === 'boolean' ? (setting ? 'all' : undefined) : setting;

/** Settings that do nothing. */
function withoutEffect({
  upstreams = [],
  log,
  logContents,
}: GatewaySettings): readonly DefinitionProblem[] {
  const where = 'the gateway';
  const names = upstreams.flatMap(({ models = [] }) => models);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  const rests = upstreams.filter(({ models = [] }) => models.length === 0);
  return [
    ...(logContents === true && log === undefined
      ? [{ where, what: 'has logContents without a log', instead: 'set log, or --log' }]
      : []),
    ...(rests.length > 1
      ? [
          {
            where,
            what: 'has two upstreams without models',
            instead: 'name the models of all but one',
          },
        ]
      : []),
    ...(twice === undefined
      ? []
      : [
          {
            where,
            what: `has the model ${JSON.stringify(twice)} in two upstreams`,
            instead: 'name it in one of them',
          },
        ]),
  ];
}

const problem = (what: string, instead: string): DefinitionError =>
  new DefinitionError([{ where: 'the gateway', what, instead }]);

/** Why text is not an upstream's URL. */
export function whyNoUpstream(
  text: string,
): { readonly what: string; readonly instead: string } | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return { what: 'is not a URL of http or https', instead: httpUrl };
  if (url.username !== '' || url.password !== '')
    return {
      what: 'has a user name or a password',
      instead:
        'remove it, and name the environment variable with the API key in keyFrom, or with --key-env',
    };
  return url.search === ''
    ? undefined
    : {
        what: 'has a query',
        instead: 'write the base URL alone; the queries of clients are passed on',
      };
}
