import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Client, Transport } from '@modelcontextprotocol/client';
import { listedEntries } from '../adapters/mcp/remote-tools.ts';
import { readDeclaredClass } from '../classes/declarations.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { parseJson } from '../json/parse.ts';
import { readPlainValue } from '../json/serialize.ts';
import { type JsonValue, isJsonArray, isJsonObject, ownValue } from '../json/value.ts';
import { type Finding, checkSet } from '../providers/check-tools.ts';
import { isProviderName, providers } from '../providers/providers.ts';
import { contractsOf } from '../registry/contract-of.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import type { Constructor, ToolContract } from '../tool/tool-contract.ts';
import { readTool } from './read-records.ts';
import type { Streams } from './streams.ts';

// Contracts, and what is wrong with entries that are no tools.
export interface ToolsToCheck {
  readonly contracts: readonly ToolContract[];
  /** What is wrong with entries that are no tools, as sentences. */
  readonly broken: readonly string[];
}

/** Why there is nothing to check; the rest of a sentence. */
export interface NothingToCheck {
  readonly refused: string;
}

function toolsInJson(entries: readonly JsonValue[]): ToolsToCheck {
  const broken: string[] = [];
  const contracts = entries.flatMap((entry, index) => {
    const tool = isJsonObject(entry) ? readTool(entry) : undefined;
    if (tool === undefined) {
      broken.push(`entry ${index + 1} is no tool: it has no schema.`);
      return [];
    }
    try {
      return [
        contractFromSchema({ name: tool.name ?? '', inputSchema: tool.schema, onUnusableSchema: 'warn' }),
      ];
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      broken.push(error.message);
      return [];
    }
  });
  return { contracts, broken };
}

// For people what has to be done, and counts of the rest; as JSON all of it.
const checkAsJson = ({ contracts, broken }: ToolsToCheck, findings: readonly Finding[]): string =>
  `${JSON.stringify({ tools: contracts.length, broken, findings }, undefined, 2)}\n`;

/** What toolmend does by itself is only counted. */
function checkAsText({ contracts, broken }: ToolsToCheck, found: readonly Finding[]): string {
  const told = found.filter(({ level }) => level !== 'adapted');
  const counts = new Map<string, number>();
  for (const { provider, rule, level } of found) {
    const kind = `${provider} ${level} ${rule}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [
    contracts.length === 1 ? '1 tool' : `${contracts.length} tools`,
    ...broken,
    ...told.map(lineOf),
    ...[...counts].map(([kind, times]) => `${kind}: ${times}`),
    '',
  ].join('\n');
}

const lineOf = ({ provider, level, rule, tool, place, what, fix }: Finding): string =>
  `${provider}: ${level} [${rule}]: ${tool === '' ? 'the tools' : tool}${place === '' ? '' : ` at ${place}`} ${what}: ${fix}.`;

// A list, a list under `tools` (as of `tools/list`), or one object a line.
const deepestSchema = 200;

export interface ToolList {
  readonly entries: readonly JsonValue[];
  /** Lines that are no JSON, counted from 1. */
  readonly broken: readonly number[];
}

/** undefined for text that is neither JSON nor JSON lines. */
function toolList(text: string): ToolList | undefined {
  const whole = read(text);
  if (whole !== undefined) {
    const entries = listIn(whole);
    return entries === undefined ? undefined : { entries, broken: [] };
  }
  const lines = text.split('\n').map((line) => ({ isEmpty: line.trim() === '', value: read(line) }));
  // A document over several lines is no list of lines that are broken.
  const first = lines.find(({ isEmpty }) => !isEmpty)?.value;
  if (first === undefined || !isJsonObject(first)) return undefined;
  return {
    entries: lines.flatMap(({ value }) => value ?? []),
    broken: lines.flatMap(({ isEmpty, value }, index) => (isEmpty || value !== undefined ? [] : [index + 1])),
  };
}

function read(text: string): JsonValue | undefined {
  const reading = parseJson(text, deepestSchema);
  return reading.kind === 'read' ? reading.value : undefined;
}

function listIn(value: JsonValue): readonly JsonValue[] | undefined {
  if (isJsonArray(value)) return value;
  if (!isJsonObject(value)) return undefined;
  const inner = ownValue(value, 'tools') ?? ownValue(value, 'result');
  return inner === undefined ? [value] : listIn(inner);
}

// Those of its registries; in a module without one, classes and definitions.
/** Runs the module. Nothing else of it is called. */
function toolsInModule(file: string): ToolsToCheck | NothingToCheck {
  const shown = JSON.stringify(file);
  const loaded = load(file);
  if ('error' in loaded) return { refused: `${shown} can't be loaded: ${firstLine(loaded.error)}` };
  const exported = exportsOf(loaded.module);
  const registries = exported.filter((value) => isRegistry(value));
  const contracts = registries.flatMap((registry) => registry.contracts());
  if (registries.length > 0) return { contracts, broken: [] };
  const found = exported.map(toolsOf);
  return found.every((tools) => tools === undefined)
    ? { refused: `${shown} exports no registry, no tool class and nothing that defineTool made` }
    : {
        contracts: [...new Set(found.flatMap((tools) => tools?.contracts ?? []))],
        broken: [...new Set(found.flatMap((tools) => tools?.broken ?? []))],
      };
}

type Loaded = { readonly module: unknown } | { readonly error: unknown };

function load(file: string): Loaded {
  try {
    return { module: createRequire(import.meta.url)(resolve(file)) };
  } catch (error) {
    return { error };
  }
}

function firstLine(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return error instanceof Error && Reflect.get(error, 'code') === 'ERR_REQUIRE_ASYNC_MODULE'
    ? 'it awaits at its top level; export the tools from a module that doesn’t'
    : (said.split('\n')[0] ?? said);
}

/** With the elements of lists. */
function exportsOf(module: unknown): readonly unknown[] {
  if (typeof module !== 'object' || module === null) return [module];
  return Object.values(module).flatMap((value: unknown): readonly unknown[] =>
    Array.isArray(value) ? value : [value],
  );
}

interface Registry {
  contracts(): readonly ToolContract[];
}

/** By any installed copy of toolmend. */
const isRegistry = (value: unknown): value is Registry =>
  isObject(value) && typeof Reflect.get(value, 'contracts') === 'function' && 'schemas' in value;

const isContract = (value: unknown): value is ToolContract =>
  isObject(value) && ['name', 'inputSchema', 'binding', 'repair'].every((key) => Object.hasOwn(value, key));

/** undefined for what has nothing to do with tools. */
function toolsOf(value: unknown): ToolsToCheck | undefined {
  if (isContract(value)) return { contracts: [value], broken: [] };
  if (!isClass(value) || !saysTool(value)) return undefined;
  try {
    return { contracts: contractsOf(value), broken: [] };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return { contracts: [], broken: [error.message] };
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isClass = (value: unknown): value is Constructor =>
  typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;

function saysTool(Class: Constructor): boolean {
  const { tools, toolMethods } = readDeclaredClass(Class);
  return tools.length > 0 || toolMethods.length > 0;
}

// A JSON file lists them; a module exports them.
async function toolsInFile(file: string): Promise<ToolsToCheck | NothingToCheck> {
  const shown = JSON.stringify(file);
  if (/\.[cm]?ts$/.test(file))
    return { refused: `${shown} is TypeScript: compile it first, and give the JavaScript` };
  if (/\.[cm]?js$/.test(file)) return toolsInModule(file);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return { refused: `${shown} can't be read` };
  const list = toolList(text);
  if (list === undefined)
    return { refused: `${shown} is no JSON file of tools, no JavaScript module and no http URL` };
  const { contracts, broken } = toolsInJson(list.entries);
  return { contracts, broken: [...list.broken.map((line) => `line ${line} is no JSON.`), ...broken] };
}

// It is asked through MCP's own client, which is loaded only then.
/** A URL of its HTTP endpoint, or the command that starts it on its standard streams. */
export type ServerAddress = { readonly url: URL } | { readonly command: readonly string[] };

const timeoutMs = 30_000;
/** A server of the older protocol need not answer when it is asked for the newer one. */
const anyVersion = { mode: 'auto', probe: { timeoutMs: 5_000 } } as const;
const deepest = 256;

/** Starts the command, asks for the tools, and ends it. */
async function toolsOfServer(address: ServerAddress): Promise<ToolsToCheck | NothingToCheck> {
  let client: Client | undefined;
  try {
    const connected = await connect(address);
    if ('refused' in connected) return connected;
    ({ client } = connected);
    await client.connect(connected.transport, { timeout: timeoutMs });
    // One tool that is none is a finding, and loses none of the others.
    const entries = await listedEntries(client, { timeout: timeoutMs });
    const reading = readPlainValue(entries, deepest);
    return reading.kind === 'plain' && isJsonArray(reading.value)
      ? toolsInJson(reading.value)
      : { refused: 'the server lists its tools in a form that can’t be read' };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { refused: `the server can't be asked for its tools: ${said.split('\n')[0] ?? said}` };
  } finally {
    await client?.close().catch(() => undefined);
  }
}

async function connect(
  address: ServerAddress,
): Promise<{ readonly client: Client; readonly transport: Transport } | NothingToCheck> {
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

// Those of a file, of a module, or of a running MCP server.
export interface CheckRequest {
  /** A file, or an http URL. */
  readonly files: readonly string[];
  /** What stands behind `--`: the command of a server. */
  readonly command: readonly string[];
  /** Providers with commas between them. */
  readonly asked: string;
  readonly format: 'json' | 'tables';
}

/** The exit code: 1 if a request would be refused, 2 for a file or a provider that there is not, else 0. */
export async function runCheck(
  { files, command, asked, format }: CheckRequest,
  streams: Streams,
): Promise<number> {
  const names = asked.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !isProviderName(name));
  if (names.length === 0 || unknown.length > 0)
    return refuse(streams, `--for takes some of ${Object.keys(providers).join(',')}`);
  const [file, ...others] = files;
  if (others.length > 0 || (file === undefined) === (command.length === 0))
    return refuse(streams, 'check needs one file or URL, or the command of a server behind --');
  const tools = await (file === undefined
    ? toolsOfServer({ command })
    : /^https?:\/\//.test(file) && URL.canParse(file)
      ? toolsOfServer({ url: new URL(file) })
      : toolsInFile(file));
  if ('refused' in tools) return refuse(streams, tools.refused);
  const found = names.filter(isProviderName).flatMap((provider) => checkSet(tools.contracts, provider));
  streams.stdout.write(format === 'json' ? checkAsJson(tools, found) : checkAsText(tools, found));
  return tools.broken.length > 0 || found.some(({ level }) => level === 'refused') ? 1 : 0;
}

function refuse({ stderr }: Streams, why: string): number {
  stderr.write(`toolmend: ${why}\n`);
  return 2;
}
