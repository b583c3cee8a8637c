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
  const entries = await listedEntries(client);
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

/**
 * The client refuses a list in which one entry is no tool, and one whose pages it takes to have no end: then the entries are
 * read as they come.
 */
export async function listedEntries(
  client: Client,
  options: { readonly timeout?: number } = {},
): Promise<readonly unknown[]> {
  try {
    const { tools } = await client.listTools(undefined, { ...options, cacheMode: 'refresh' });
    return tools;
  } catch (error) {
    const code = memberOf(error, 'code');
    if (code !== invalid && code !== endless) throw error;
    const { entries, isWhole } = await rawEntries(client);
    if (!isWhole && code === endless) throw error;
    return entries;
  }
}

/** A server that pages without end is asked no further. */
const mostPages = 64;

async function rawEntries(
  client: Client,
): Promise<{ readonly entries: readonly unknown[]; readonly isWhole: boolean }> {
  const entries: unknown[] = [];
  const asked = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer: unknown = await client.request({ method: 'tools/list', params }, anyResult);
    const tools: unknown = memberOf(answer, 'tools');
    if (Array.isArray(tools)) entries.push(...tools);
    const next: unknown = memberOf(answer, 'nextCursor');
    // Some servers say the end with an empty cursor, or with one that was there before.
    if (typeof next !== 'string' || next === '' || asked.has(next)) return { entries, isWhole: true };
    asked.add(next);
    cursor = next;
  }
  return { entries, isWhole: false };
}

/** A Standard Schema (https://standardschema.dev) that takes what comes. */
const anyResult = {
  '~standard': { version: 1 as const, vendor: 'toolmend', validate: (value: unknown) => ({ value }) },
};

/** The SDK's codes for a list that it doesn't take. */
const invalid = 'INVALID_RESULT';
const endless = 'LIST_PAGINATION_EXCEEDED';

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
