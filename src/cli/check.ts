import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isClass, readDeclaredClass } from '../classes/declarations.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { type ServerCommand, startServer } from '../mcp-proxy/channel.ts';
import { type HttpServer, HttpChannel } from '../mcp-proxy/http-channel.ts';
import { listedTools } from '../mcp-proxy/listed-tools.ts';
import { nearestName } from '../json/nearest-name.ts';
import { parseJson } from '../json/parse.ts';
import { quote } from '../json/preview.ts';
import { defined, isContainer, memberOf, ownValue } from '../collections/objects.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { type Finding, checkSet } from '../providers/check-tools.ts';
import { isProviderName, providers } from '../providers/providers.ts';
import { costToText, costsOf } from './tool-costs.ts';
import { contractsOf } from '../registry/register.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import { type Constructor, type ToolContract, isContract } from '../tool/tool-contract.ts';
import { readCommand, readUrl } from './mcp-server.ts';
import { readTool } from './read-records.ts';
import {
  type Streams,
  Tally,
  asJson,
  flagOption,
  parseCommand,
  refuseUsage,
  textOption,
  whyNoFile,
} from './report.ts';

export const checkUsage = `Usage: toolmend check FILE [--for anthropic,openai] [--cost] [--budget N] [--json]
       toolmend check URL [--for anthropic,openai] [--cost] [--budget N] [--json]
       toolmend check [--for anthropic,openai] [--cost] [--budget N] [--json] -- COMMAND ARGUMENT...

Lists what providers would refuse in the schemas of tools. A FILE is JSON (a list of tools, the answer to
tools/list, or one tool a line), or a compiled module that exports a registry, tool classes or what defineTool
made. The command runs the module. A URL is that of an MCP server. COMMAND starts an MCP server on its
standard streams.

  --for P                  providers, as in tools.schemas(…), with commas between them; default: all
  --cost                   also what the tools cost in each request: bytes and tokens (estimated) of each
                           tool, hint and field, and sentences that repeat; without --for only in the form
                           of openai
  --budget N               fails if the tools cost more than N tokens in the form of a provider
  --header 'NAME: VALUE'   sent to the URL with each request; \${NAME} stands for that variable of the environment
  --env NAME               the command gets this variable, beside PATH, HOME and the like
  --json                   one JSON object instead of lines

Exit code: 1 if a request would be refused, an entry is not a tool or the budget is exceeded, 2 if there is
nothing to check, else 0.
`;

/**
 * Checks tools for providers. Exit code: 1 if a request would be refused, 2 for an unknown file or
 * provider, else 0.
 */
export async function runCheck(args: readonly string[], streams: Streams): Promise<number> {
  const end = args.indexOf('--');
  const command = end === -1 ? [] : args.slice(end + 1);
  const commandLine = parseCommand('check', end === -1 ? args : args.slice(0, end), {
    json: flagOption,
    for: textOption,
    cost: flagOption,
    budget: textOption,
    env: { ...textOption, multiple: true },
    header: { ...textOption, multiple: true },
  });
  if (typeof commandLine === 'string') return refuseUsage(streams, commandLine);
  const { values, positionals } = commandLine;
  const names = values.for === undefined ? allProviders : providerNamesIn(values.for);
  if (names.length === 0 || !names.every(isProviderName))
    return refuseUsage(streams, whyNoProviders(names));
  const budget = values.budget === undefined ? undefined : Number(values.budget);
  if (budget !== undefined && !(Number.isSafeInteger(budget) && budget > 0))
    return refuseUsage(streams, '--budget takes a number of tokens, such as 4000');
  const [file, ...others] = positionals;
  if (others.length > 0 || (file === undefined) === (command.length === 0))
    return refuseUsage(
      streams,
      'check needs one file or URL, or the command of a server behind --',
    );
  const isUrl = file !== undefined && /^https?:\/\//.test(file);
  if (values.header !== undefined && !isUrl)
    return refuseUsage(streams, '--header has an effect only with a URL');
  if (values.env !== undefined && file !== undefined)
    return refuseUsage(streams, '--env has an effect only with a command behind --');
  const tools = await (file === undefined
    ? toolsOfServer(readCommand(command, values.env))
    : isUrl
      ? toolsOfServer(readUrl(file, values.header))
      : toolsInFile(file));
  if ('reason' in tools) return refuseUsage(streams, tools.reason);
  const findings = names.flatMap((provider) => checkSet(tools.contracts, provider));
  const { contracts, broken } = tools;
  const isCostAsked = values.cost === true || budget !== undefined;
  const costs = isCostAsked
    ? costsOf(contracts, values.for === undefined ? ['openai'] : names)
    : [];
  const excesses = costs.filter(({ tokens }) => tokens > (budget ?? Infinity));
  const report = { tools: contracts.length, broken, findings, ...(isCostAsked ? { costs } : {}) };
  const lines = [
    toText(names, tools, findings),
    ...(values.cost === true ? costs.map(costToText) : []),
    ...excesses.map(
      ({ provider, tokens }) =>
        `${provider}: the tools cost ${tokens} tokens, and the budget is ${budget}.\n`,
    ),
  ];
  streams.stdout.write(values.json === true ? asJson(report) : lines.join(''));
  const isRefused = findings.some(({ level }) => level === 'refused');
  return broken.length > 0 || isRefused || excesses.length > 0 ? 1 : 0;
}

const providerNamesIn = (list: string): readonly string[] =>
  list.split(',').filter((name) => name !== '');

/** Without `neutral`, which is no provider's form. */
const allProviders = Object.keys(providers).filter((name) => name !== 'neutral');

/** Says that no provider is named, or which name isn't a provider's, with the nearest provider. */
function whyNoProviders(names: readonly string[]): string {
  const knownProviders = Object.keys(providers);
  const unknownProvider = names.find((name) => !isProviderName(name));
  const nearest =
    unknownProvider === undefined ? undefined : nearestName(unknownProvider, knownProviders);
  return [
    ...(names.length === 0 ? ['--for names no provider'] : []),
    ...(unknownProvider === undefined ? [] : [`there is no provider ${quote(unknownProvider)}`]),
    ...(nearest === undefined ? [] : [`did you mean ${nearest}?`]),
    `--for takes some of ${knownProviders.join(',')}`,
  ].join('\n');
}

/** Findings of the level `adapted` need no action and are only counted. */
function toText(
  providerNames: readonly string[],
  { contracts: { length: tools }, broken }: LoadedTools,
  findings: readonly Finding[],
): string {
  const counts = new Tally();
  for (const { provider, rule, level } of findings) counts.add(`${provider} ${level} ${rule}`);
  const open = findings.filter(({ level }) => level !== 'adapted');
  const clean = providerNames.filter((provider) =>
    open.every((finding) => finding.provider !== provider),
  );
  const lines = [
    tools === 1 ? '1 tool' : `${tools} tools`,
    ...broken,
    ...open.map(findingToText),
    ...(tools === 0 || broken.length > 0
      ? []
      : clean.map((provider) => `${provider}: accepts all tools`)),
    ...[...counts].map(([kind, times]) => `${kind}: ${times}`),
  ];
  return `${lines.join('\n')}\n`;
}

const findingToText = ({ provider, level, rule, tool, place, what, fix }: Finding): string =>
  `${provider}: ${level} [${rule}]: ${tool === '' ? 'the tools' : tool}${place === '' ? '' : ` at ${place}`} ${what}: ${fix}.`;

interface LoadedTools {
  readonly contracts: readonly ToolContract[];
  /** What is wrong with entries that are not tools, as sentences. */
  readonly broken: readonly string[];
}

/** Why there is nothing to check; the rest of a sentence. */
interface NoTools {
  readonly reason: string;
}

function contractsFrom(make: () => readonly ToolContract[]): LoadedTools {
  try {
    return { contracts: make(), broken: [] };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return { contracts: [], broken: [error.message] };
  }
}

const joinTools = (parts: readonly LoadedTools[]): LoadedTools => ({
  contracts: parts.flatMap(({ contracts }) => contracts),
  broken: parts.flatMap(({ broken }) => broken),
});

/** A JSON file lists tools; a module exports them. */
export async function toolsInFile(file: string): Promise<LoadedTools | NoTools> {
  const quotedFile = JSON.stringify(file);
  if (/\.[cm]?ts$/.test(file))
    return { reason: `${quotedFile} is TypeScript: compile it first, and give the JavaScript` };
  const why = await whyNoFile(file);
  if (why !== undefined) return { reason: why };
  if (/\.[cm]?js$/.test(file)) return toolsInModule(file);
  const content = await readFile(file, 'utf8').catch(() => undefined);
  if (content === undefined) return { reason: `${quotedFile} can't be read` };
  const list = readToolList(content);
  if (list === undefined)
    return {
      reason: `${quotedFile} is not a JSON file of tools, a JavaScript module or an http URL`,
    };
  const badLines = list.badLines.map((line) => `line ${line} is not JSON.`);
  return joinTools([{ contracts: [], broken: badLines }, toolsInJson(list.entries)]);
}

const toolsInJson = (entries: readonly JsonValue[]): LoadedTools =>
  joinTools(
    entries.map((entry, index) => {
      const tool = isJsonObject(entry) ? readTool(entry) : undefined;
      if (tool === undefined)
        return { contracts: [], broken: [`entry ${index + 1} is not a tool: it has no schema.`] };
      const { name = '', description = '', schema: inputSchema, effects } = tool;
      return contractsFrom(() => [
        contractFromSchema({
          name,
          description,
          inputSchema,
          onUnusableSchema: 'warn',
          ...defined({ effects }),
        }),
      ]);
    }),
  );

/**
 * An array, an array under `tools` (as in the answer to `tools/list`), or one object a line;
 * undefined for other text. `badLines` aren't JSON, counted from 1.
 */
function readToolList(content: string) {
  const whole = jsonValue(content);
  if (whole !== undefined) {
    const entries = listIn(whole);
    return entries === undefined ? undefined : { entries, badLines: [] };
  }
  const lines = content
    .split('\n')
    .map((line) => ({ isEmpty: line.trim() === '', value: jsonValue(line) }));
  // A broken document of several lines is not a list of tools.
  const first = lines.find(({ isEmpty }) => !isEmpty)?.value;
  if (first === undefined || !isJsonObject(first)) return undefined;
  return {
    entries: lines.flatMap(({ value }) => value ?? []),
    badLines: lines.flatMap(({ isEmpty, value }, index) =>
      isEmpty || value !== undefined ? [] : index + 1,
    ),
  };
}

function jsonValue(content: string): JsonValue | undefined {
  const reading = parseJson(content);
  return reading.kind === 'read' ? reading.value : undefined;
}

function listIn(value: JsonValue): readonly JsonValue[] | undefined {
  if (isJsonArray(value)) return value;
  if (!isJsonObject(value)) return undefined;
  const inner = ownValue(value, 'tools') ?? ownValue(value, 'result');
  return inner === undefined ? [value] : listIn(inner);
}

/**
 * The tools of exported registries, else exported classes and definitions. Runs the module, and
 * nothing else in it.
 */
async function toolsInModule(file: string): Promise<LoadedTools | NoTools> {
  const quotedFile = JSON.stringify(file);
  const moduleExports = await load(file);
  if ('reason' in moduleExports)
    return { reason: `${quotedFile} can't be loaded: ${moduleExports.reason}` };
  const exported = [...new Set(moduleExports.values.flatMap((value) => value))];
  const registries = exported.filter(isRegistry);
  if (registries.length > 0)
    return { contracts: registries.flatMap((registry) => registry.contracts()), broken: [] };
  const tools = exported.filter((value) => isContract(value) || isToolClass(value));
  return tools.length === 0
    ? {
        reason: `${quotedFile} exports no registry, no tool class and nothing that defineTool made`,
      }
    : joinTools(
        tools.map((tool) => contractsFrom(() => (isContract(tool) ? [tool] : contractsOf(tool)))),
      );
}

/** The values that a module exports, or why it can't be loaded. */
async function load(file: string): Promise<{ readonly values: readonly unknown[] } | NoTools> {
  const idle = new AbortController();
  try {
    const module: object | 'idle' = await Promise.race([
      import(pathToFileURL(resolve(file)).href),
      // Node would end without a word.
      once(process, 'beforeExit', { signal: idle.signal }).then((): 'idle' => 'idle'),
    ]);
    if (module === 'idle') return { reason: 'it awaits at its top level what never comes' };
    // What a CommonJS module exports is its default export, and an object of what it has.
    const whole: unknown = memberOf(module, 'default');
    const members: readonly unknown[] =
      isContainer(whole) && !isRegistry(whole) && !isContract(whole) ? Object.values(whole) : [];
    return { values: [...Object.values(module), ...members] };
  } catch (error) {
    return { reason: firstLine(error) };
  } finally {
    idle.abort();
  }
}

function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line;
}

/** A registry of any installed copy of toolmend. */
const isRegistry = (value: unknown): value is { contracts(): readonly ToolContract[] } =>
  isContainer(value) && typeof Reflect.get(value, 'contracts') === 'function' && 'schemas' in value;

function isToolClass(value: unknown): value is Constructor {
  if (!isClass(value)) return false;
  const { tools, toolMethods } = readDeclaredClass(value);
  return tools.length + toolMethods.length > 0;
}

/** `server`: its command or URL, or why there is none. */
async function toolsOfServer(
  server: ServerCommand | HttpServer | string,
): Promise<LoadedTools | NoTools> {
  if (typeof server === 'string') return { reason: server };
  const channel = 'url' in server ? new HttpChannel(server, () => undefined) : startServer(server);
  try {
    return toolsInJson(await listedTools(channel));
  } catch (error) {
    return { reason: `the server can't be asked for its tools: ${firstLine(error)}` };
  } finally {
    await channel.close();
  }
}
