import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Client, Transport } from '@modelcontextprotocol/client';
import { listedEntries } from '../adapters/mcp/remote-tools.ts';
import { isClass, readDeclaredClass } from '../classes/declarations.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { nearestName } from '../json/nearest-name.ts';
import { parseJson } from '../json/parse.ts';
import { quote } from '../json/preview.ts';
import { readPlainValue } from '../json/serialize.ts';
import { type JsonValue, defined, isContainer, isJsonArray, isJsonObject, ownValue } from '../json/value.ts';
import { type Finding, checkSet } from '../providers/check-tools.ts';
import { isProviderName, providers } from '../providers/providers.ts';
import { contractsOf, isContract } from '../registry/register.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import type { Constructor, ToolContract } from '../tool/tool-contract.ts';
import { readTool } from './read-records.ts';
import type { Streams } from './report.ts';
import { Tally, asJson, flagOption, parseCommand, refuse, textOption, whyNoFile } from './report.ts';

/** Checks tools for providers. Exit code: 1 if a request would be refused, 2 for an unknown file or provider, else 0. */
export async function runCheck(args: readonly string[], streams: Streams): Promise<number> {
  const end = args.indexOf('--');
  const command = end === -1 ? [] : args.slice(end + 1);
  const parsed = parseCommand(end === -1 ? args : args.slice(0, end), { json: flagOption, for: textOption });
  if (typeof parsed === 'string') return refuse(streams, parsed);
  const { values, positionals } = parsed;
  const names = (values.for ?? '').split(',').filter((name) => name !== '');
  if (names.length === 0 || !names.every(isProviderName)) return refuse(streams, whyNoProviders(names));
  const [file, ...others] = positionals;
  if (others.length > 0 || (file === undefined) === (command.length === 0))
    return refuse(streams, 'check needs one file or URL, or the command of a server behind --');
  const tools = await (file === undefined
    ? toolsOfServer({ command })
    : /^https?:\/\//.test(file) && URL.canParse(file)
      ? toolsOfServer({ url: new URL(file) })
      : toolsInFile(file));
  if ('refused' in tools) return refuse(streams, tools.refused);
  const findings = names.flatMap((provider) => checkSet(tools.contracts, provider));
  const { contracts, broken } = tools;
  const report = { tools: contracts.length, broken, findings };
  streams.stdout.write(values.json === true ? asJson(report) : toText(names, tools, findings));
  return broken.length > 0 || findings.some(({ level }) => level === 'refused') ? 1 : 0;
}

/** That there is no name, or the first one that is no provider, with the nearest one. */
function whyNoProviders(names: readonly string[]): string {
  const known = Object.keys(providers);
  const wrong = names.find((name) => !isProviderName(name));
  const nearest = wrong === undefined ? undefined : nearestName(wrong, known);
  return [
    ...(names.length === 0 ? ['check needs --for'] : []),
    ...(wrong === undefined ? [] : [`there is no provider ${quote(wrong)}`]),
    ...(nearest === undefined ? [] : [`did you mean ${nearest}?`]),
    `--for takes some of ${known.join(',')}`,
  ].join('\n');
}

/** Findings of the level `adapted` need no action and are only counted. */
function toText(
  asked: readonly string[],
  { contracts: { length: tools }, broken }: FoundTools,
  findings: readonly Finding[],
): string {
  const counts = new Tally();
  for (const { provider, rule, level } of findings) counts.add(`${provider} ${level} ${rule}`);
  const open = findings.filter(({ level }) => level !== 'adapted');
  const clean = asked.filter((provider) => open.every((finding) => finding.provider !== provider));
  const lines = [
    tools === 1 ? '1 tool' : `${tools} tools`,
    ...broken,
    ...open.map(findingToText),
    ...(tools === 0 || broken.length > 0 ? [] : clean.map((provider) => `${provider}: accepts all tools`)),
    ...[...counts].map(([kind, times]) => `${kind}: ${times}`),
  ];
  return `${lines.join('\n')}\n`;
}

const findingToText = ({ provider, level, rule, tool, place, what, fix }: Finding): string =>
  `${provider}: ${level} [${rule}]: ${tool === '' ? 'the tools' : tool}${place === '' ? '' : ` at ${place}`} ${what}: ${fix}.`;

interface FoundTools {
  readonly contracts: readonly ToolContract[];
  /** What is wrong with entries that are not tools, as sentences. */
  readonly broken: readonly string[];
}

/** Why there is nothing to check; the rest of a sentence. */
interface NoTools {
  readonly refused: string;
}

function contractsFrom(make: () => readonly ToolContract[]): FoundTools {
  try {
    return { contracts: make(), broken: [] };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return { contracts: [], broken: [error.message] };
  }
}

const joinTools = (found: readonly FoundTools[]): FoundTools => ({
  contracts: found.flatMap(({ contracts }) => contracts),
  broken: found.flatMap(({ broken }) => broken),
});

/** A JSON file lists tools; a module exports them. */
export async function toolsInFile(file: string): Promise<FoundTools | NoTools> {
  const shown = JSON.stringify(file);
  if (/\.[cm]?ts$/.test(file))
    return { refused: `${shown} is TypeScript: compile it first, and give the JavaScript` };
  const why = await whyNoFile(file);
  if (why !== undefined) return { refused: why };
  if (/\.[cm]?js$/.test(file)) return toolsInModule(file);
  const content = await readFile(file, 'utf8').catch(() => undefined);
  if (content === undefined) return { refused: `${shown} can't be read` };
  const list = readToolList(content);
  if (list === undefined)
    return { refused: `${shown} is not a JSON file of tools, a JavaScript module or an http URL` };
  const badLines = list.badLines.map((line) => `line ${line} is not JSON.`);
  return joinTools([{ contracts: [], broken: badLines }, toolsInJson(list.entries)]);
}

const toolsInJson = (entries: readonly JsonValue[]): FoundTools =>
  joinTools(
    entries.map((entry, index) => {
      const tool = isJsonObject(entry) ? readTool(entry) : undefined;
      if (tool === undefined)
        return { contracts: [], broken: [`entry ${index + 1} is not a tool: it has no schema.`] };
      const { name = '', schema: inputSchema, effects } = tool;
      return contractsFrom(() => [
        contractFromSchema({ name, inputSchema, onUnusableSchema: 'warn', ...defined({ effects }) }),
      ]);
    }),
  );

/**
 * An array, an array under `tools` (as in the answer to `tools/list`), or one object a line; undefined for other text. `badLines` aren't
 * JSON, counted from 1.
 */
function readToolList(content: string) {
  const whole = read(content);
  if (whole !== undefined) {
    const entries = listIn(whole);
    return entries === undefined ? undefined : { entries, badLines: [] };
  }
  const lines = content.split('\n').map((line) => ({ isEmpty: line.trim() === '', value: read(line) }));
  // A broken document of several lines is not a list of tools.
  const first = lines.find(({ isEmpty }) => !isEmpty)?.value;
  if (first === undefined || !isJsonObject(first)) return undefined;
  return {
    entries: lines.flatMap(({ value }) => value ?? []),
    badLines: lines.flatMap(({ isEmpty, value }, index) => (isEmpty || value !== undefined ? [] : index + 1)),
  };
}

function read(content: string): JsonValue | undefined {
  const reading = parseJson(content);
  return reading.kind === 'read' ? reading.value : undefined;
}

function listIn(value: JsonValue): readonly JsonValue[] | undefined {
  if (isJsonArray(value)) return value;
  if (!isJsonObject(value)) return undefined;
  const inner = ownValue(value, 'tools') ?? ownValue(value, 'result');
  return inner === undefined ? [value] : listIn(inner);
}

/** The tools of exported registries, else exported classes and definitions. Runs the module, and nothing else in it. */
function toolsInModule(file: string): FoundTools | NoTools {
  const shown = JSON.stringify(file);
  let module: unknown;
  try {
    module = createRequire(import.meta.url)(resolve(file));
  } catch (error) {
    const isAsync = error instanceof Error && Reflect.get(error, 'code') === 'ERR_REQUIRE_ASYNC_MODULE';
    const why = isAsync
      ? 'it awaits at its top level; export the tools from a module that doesn’t'
      : firstLine(error);
    return { refused: `${shown} can't be loaded: ${why}` };
  }
  const exported = isContainer(module) ? Object.values(module).flatMap((value: unknown) => value) : [module];
  const registries = exported.filter(isRegistry);
  if (registries.length > 0)
    return { contracts: registries.flatMap((registry) => registry.contracts()), broken: [] };
  const tools = [...new Set(exported)].filter((value) => isContract(value) || isToolClass(value));
  return tools.length === 0
    ? { refused: `${shown} exports no registry, no tool class and nothing that defineTool made` }
    : joinTools(tools.map((tool) => contractsFrom(() => (isContract(tool) ? [tool] : contractsOf(tool)))));
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

/** The URL of an MCP server's HTTP endpoint, or the command that starts a server on its standard streams. */
type ServerAddress = { readonly url: URL } | { readonly command: readonly string[] };

const timeoutMs = 30_000;
/** Servers of the older protocol may not answer a request of the newer one. */
const anyVersion = { mode: 'auto', probe: { timeoutMs: 5_000 } } as const;

async function toolsOfServer(address: ServerAddress): Promise<FoundTools | NoTools> {
  let client: Client | undefined;
  try {
    const connected = await connect(address);
    if ('refused' in connected) return connected;
    ({ client } = connected);
    await client.connect(connected.transport, { timeout: timeoutMs });
    // Unlike the client's own list, this one keeps valid tools beside invalid ones.
    const entries = await listedEntries(client, { timeout: timeoutMs });
    const reading = readPlainValue(entries);
    return reading.kind === 'plain' && isJsonArray(reading.value)
      ? toolsInJson(reading.value)
      : { refused: 'the server lists its tools in a form that can’t be read' };
  } catch (error) {
    return { refused: `the server can't be asked for its tools: ${firstLine(error)}` };
  } finally {
    await client?.close().catch(() => undefined);
  }
}

/** Loads MCP's client, an optional peer dependency. */
async function connect(
  address: ServerAddress,
): Promise<{ readonly client: Client; readonly transport: Transport } | NoTools> {
  const loaded = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/client/stdio'),
  ]).catch(() => undefined);
  if (loaded === undefined)
    return {
      refused:
        'to ask a running server, the package @modelcontextprotocol/client is needed: npm install @modelcontextprotocol/client',
    };
  const [{ Client, StreamableHTTPClientTransport }, { StdioClientTransport }] = loaded;
  const client = new Client({ name: 'toolmend', version: '1' }, { versionNegotiation: anyVersion });
  if ('url' in address) return { client, transport: new StreamableHTTPClientTransport(address.url) };
  const [command = '', ...args] = address.command;
  return { client, transport: new StdioClientTransport({ command, args, stderr: 'inherit' }) };
}
