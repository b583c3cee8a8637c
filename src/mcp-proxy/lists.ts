import { defined, ownValue } from '../collections/objects.ts';
import { type JsonObject, isJsonArray, isJsonObject } from '../json/value.ts';
import type { Channel } from './channel.ts';
import { type ServerResult, commonMembers } from './merge.ts';
import {
  type Message,
  type TextEdit,
  applyEdits,
  elementRanges,
  idText,
  memberEdit,
  memberRanges,
  metaForOwn,
  objectAtPath,
  rangeAt,
  readMessage,
} from './message.ts';
import type { OwnRequests } from './proxy-requests.ts';
import type { ServerTools } from './tools.ts';

/** One of several servers. */
export interface HubServer {
  readonly name: string;
  /** Before its names of tools and prompts. */
  readonly prefix: string;
  readonly channel: Channel;
  readonly tools: ServerTools;
}

/** A list that servers have: the member of the result, and the key that names an entry. */
interface ListShape {
  readonly member: string;
  readonly key: string;
}

const shapes: ReadonlyMap<string, ListShape> = new Map([
  ['tools/list', { member: 'tools', key: 'name' }],
  ['prompts/list', { member: 'prompts', key: 'name' }],
  ['resources/list', { member: 'resources', key: 'uri' }],
  ['resources/templates/list', { member: 'resourceTemplates', key: 'uriTemplate' }],
  ['tasks/list', { member: 'tasks', key: 'taskId' }],
]);

const timeoutMs = 30_000;
const maxPages = 64;

/** The lists of several servers as one, and the server of each entry. */
export class MergedLists {
  readonly #servers: ReadonlySet<HubServer>;
  readonly #ownRequests: OwnRequests;
  readonly #log: (line: string) => void;
  readonly #capabilities = new Map<HubServer, JsonObject>();
  /** By method and shown name. */
  readonly #owners = new Map<string, Map<string, HubServer>>();

  constructor(
    servers: ReadonlySet<HubServer>,
    ownRequests: OwnRequests,
    log: (line: string) => void,
  ) {
    this.#servers = servers;
    this.#ownRequests = ownRequests;
    this.#log = log;
  }

  /** Servers are asked only for lists that they say they have. */
  setCapabilities(server: HubServer, capabilities: JsonObject): void {
    this.#capabilities.set(server, capabilities);
  }

  isList(method: string): boolean {
    return shapes.has(method);
  }

  /** The answer to a request for a list: all entries of all servers on one page. */
  async answer(message: Message, method: string): Promise<string> {
    const { entries, results } = await this.#collect(
      method,
      metaForOwn(objectAtPath(message.value, 'params')),
    );
    const common = JSON.stringify(commonMembers(results));
    const start = common === '{}' ? '{' : `${common.slice(0, -1)},`;
    const member = JSON.stringify(shapes.get(method)?.member ?? '');
    return `{"jsonrpc":"2.0","id":${idText(message)},"result":${start}${member}:[${entries.join(',')}]}}`;
  }

  /**
   * The servers of all tools, by shown name. Asks for the lists if one isn't known. `params`: of
   * the call that needs them.
   */
  async toolOwners(params: JsonObject): Promise<ReadonlyMap<string, HubServer>> {
    if (![...this.#servers].every((server) => server.tools.isWhole || !this.#has(server, 'tools')))
      await this.#collect('tools/list', metaForOwn(params));
    return new Map(
      [...this.#ownersIn('tools/list')].filter(([, server]) => this.#servers.has(server)),
    );
  }

  /** The server of an entry. Asks for the lists if it isn't known. */
  async ownerOf(method: string, name: string, params: JsonObject): Promise<HubServer | undefined> {
    const owner = this.#ownersIn(method).get(name);
    if (owner !== undefined && this.#servers.has(owner)) return owner;
    await this.#collect(method, metaForOwn(params));
    return this.#ownersIn(method).get(name);
  }

  async ownerOfResource(uri: string, params: JsonObject): Promise<HubServer | undefined> {
    const owner =
      (await this.ownerOf('resources/list', uri, params)) ??
      (await this.ownerOf('resources/templates/list', uri, params));
    if (owner !== undefined) return owner;
    // A template begins with text that its resources have too.
    const [longest] = [...this.#ownersIn('resources/templates/list')]
      .map(([template, server]) => ({ start: template.split('{')[0] ?? '', server }))
      .filter(({ start }) => start !== '' && uri.startsWith(start))
      .toSorted((left, right) => right.start.length - left.start.length);
    return longest?.server;
  }

  ownerOfTask(id: string): HubServer | undefined {
    return this.#ownersIn('tasks/list').get(id);
  }

  rememberTask(id: string, server: HubServer): void {
    this.#ownersIn('tasks/list').set(id, server);
  }

  #ownersIn(method: string): Map<string, HubServer> {
    const owners = this.#owners.get(method) ?? new Map<string, HubServer>();
    this.#owners.set(method, owners);
    return owners;
  }

  #has(server: HubServer, capability: string): boolean {
    const capabilities = this.#capabilities.get(server);
    return capabilities === undefined || Object.hasOwn(capabilities, capability);
  }

  async #collect(method: string, meta: JsonObject | undefined) {
    const [capability = ''] = method.split('/');
    const servers = [...this.#servers].filter((server) => this.#has(server, capability));
    const serverLists = await Promise.all(
      servers.map((server) => this.#pagesOf(server, method, meta)),
    );
    const owners = this.#ownersIn(method);
    owners.clear();
    const texts: string[] = [];
    for (const { server, entries } of serverLists) {
      for (const { name, text } of entries) {
        const other = owners.get(name);
        if (other === undefined) {
          owners.set(name, server);
          texts.push(text);
        } else
          this.#log(`${server.name} lists ${name}, which ${other.name} lists too: it is left out`);
      }
    }
    return { entries: texts, results: serverLists.flatMap(({ results }) => results) };
  }

  async #pagesOf(server: HubServer, method: string, meta: JsonObject | undefined) {
    const entries: NamedEntry[] = [];
    const results: ServerResult[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const params = JSON.stringify(defined({ cursor, _meta: meta }));
      const message = await this.#ownRequests.ask(server.channel, method, params, { timeoutMs });
      if (message === undefined || !Object.hasOwn(message.value, 'result')) break;
      const result = objectAtPath(message.value, 'result');
      results.push({ server: server.name, result });
      entries.push(
        ...namedEntries(shownPage(server, method, message, cursor === undefined), method),
      );
      const nextCursor = ownValue(result, 'nextCursor');
      if (typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor) break;
      cursor = nextCursor;
    }
    return { server, entries, results };
  }
}

/** The text of an answer, with our names. */
function shownPage(
  server: HubServer,
  method: string,
  { text, value }: Message,
  isFirst: boolean,
): string {
  const range = rangeAt(text, 'result');
  if (range === undefined) return text;
  const result = objectAtPath(value, 'result');
  if (method === 'tools/list')
    return applyEdits(text, server.tools.readPage(result, text, range, isFirst));
  const prompts = method === 'prompts/list' ? memberRanges(text, range).get('prompts') : undefined;
  const promptList = ownValue(result, 'prompts');
  if (prompts === undefined || !isJsonArray(promptList)) return text;
  const edits = elementRanges(text, prompts).flatMap((element, index): readonly TextEdit[] => {
    const prompt = promptList[index];
    const name = isJsonObject(prompt) ? ownValue(prompt, 'name') : undefined;
    return typeof name === 'string'
      ? [memberEdit(text, element, 'name', JSON.stringify(server.prefix + name))]
      : [];
  });
  return applyEdits(text, edits);
}

interface NamedEntry {
  readonly name: string;
  readonly text: string;
}

/** The entries of a list in the text of an answer. */
function namedEntries(text: string, method: string): readonly NamedEntry[] {
  const { member = '', key = '' } = shapes.get(method) ?? {};
  const reading = readMessage(text);
  const range = rangeAt(text, 'result', member);
  const entries =
    typeof reading === 'string'
      ? undefined
      : ownValue(objectAtPath(reading.value, 'result'), member);
  if (range === undefined || !isJsonArray(entries)) return [];
  return elementRanges(text, range).map((element, index) => {
    const entry = entries[index];
    const name = isJsonObject(entry) ? ownValue(entry, key) : undefined;
    return {
      name: typeof name === 'string' ? name : `#${index}`,
      text: text.slice(element.start, element.end),
    };
  });
}
