// Which tools does a server say that it has? All pages; an entry that is no tool doesn't lose the others.
import type { Client } from '@modelcontextprotocol/client';
import { harmless } from '../../issues/excerpt.ts';
import type { SchemaObject } from '../../json/json-schema.ts';

/** A tool as its server describes it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: SchemaObject;
  readonly outputSchema?: SchemaObject;
  /** What the server says of it, which need not be true. */
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
  };
}

export interface ListedTools {
  readonly tools: readonly ListedTool[];
  readonly leftOut: readonly LeftOutTool[];
}

/** Names as they are registered. */
export type ToolListChange =
  | {
      readonly kind: 'changed';
      readonly added: readonly string[];
      /** Another definition than before; with pins, calls to it are rejected until it is accepted. */
      readonly changed: readonly string[];
      readonly removed: readonly string[];
      readonly leftOut: readonly LeftOutTool[];
    }
  /** The server could not be asked; what was registered stays. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** A tool of the server that is not registered. */
export interface LeftOutTool {
  /** As the server calls it; cut and cleaned. */
  readonly tool: string;
  /** For the developer. */
  readonly reason: string;
}

/** In the server's order, the first of each name. Rejects as the client does. */
export async function listRemoteTools(client: Client): Promise<ListedTools> {
  const entries = await entriesOf(client);
  const tools = new Map<string, ListedTool>();
  const leftOut: LeftOutTool[] = [];
  for (const [index, entry] of entries.entries()) {
    if (!isTool(entry)) {
      leftOut.push({
        tool: nameOf(entry) ?? `tool ${index + 1}`,
        reason: 'it has no name, or no input schema of an object',
      });
    } else if (tools.has(entry.name)) {
      leftOut.push({
        tool: harmless(entry.name),
        reason: 'the server lists another tool of that name before it',
      });
    } else tools.set(entry.name, entry);
  }
  return { tools: [...tools.values()], leftOut };
}

/** The client refuses a list in which one entry is no tool: then the entries are read as they come. */
async function entriesOf(client: Client): Promise<readonly unknown[]> {
  try {
    const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
    return tools;
  } catch (error) {
    if (!isInvalidResult(error)) throw error;
    return rawEntries(client);
  }
}

/** A server that pages without end is asked no further. */
const mostPages = 64;

async function rawEntries(client: Client): Promise<readonly unknown[]> {
  const entries: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer: unknown = await client.request({ method: 'tools/list', params }, anyResult);
    const tools: unknown = memberOf(answer, 'tools');
    if (Array.isArray(tools)) entries.push(...tools);
    const next: unknown = memberOf(answer, 'nextCursor');
    if (typeof next !== 'string') return entries;
    cursor = next;
  }
  return entries;
}

/** A Standard Schema (https://standardschema.dev) that takes what comes. */
const anyResult = {
  '~standard': { version: 1 as const, vendor: 'toolmend', validate: (value: unknown) => ({ value }) },
};

const isInvalidResult = (error: unknown): boolean => memberOf(error, 'code') === 'INVALID_RESULT';

function isTool(entry: unknown): entry is ListedTool {
  const schema = memberOf(entry, 'inputSchema');
  const annotations = memberOf(entry, 'annotations');
  const texts = [memberOf(entry, 'title'), memberOf(entry, 'description'), memberOf(annotations, 'title')];
  return (
    typeof memberOf(entry, 'name') === 'string' &&
    memberOf(schema, 'type') === 'object' &&
    [annotations, memberOf(entry, 'outputSchema')].every((part) => part === undefined || isObject(part)) &&
    texts.every((text) => text === undefined || typeof text === 'string')
  );
}

function nameOf(entry: unknown): string | undefined {
  const name = memberOf(entry, 'name');
  return typeof name === 'string' ? harmless(name) : undefined;
}

const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) ? Reflect.get(value, key) : undefined;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
