import { fixedMembers } from '../adapters/mcp/remote-call.ts';
import { remoteContract } from '../adapters/mcp/remote-contract.ts';
import {
  type RemoteOptions,
  type ListedTool,
  overlayOf,
  registeredName,
} from '../adapters/mcp/remote-options.ts';
import { isTool } from '../adapters/mcp/remote-tools.ts';
import { DefinitionError } from '../errors/definition-error.ts';
import { contractDigest } from '../outcomes/digests.ts';
import { argumentsText } from '../interpret/interpretation.ts';
import { parseJson } from '../json/parse.ts';
import { nearestName } from '../json/nearest-name.ts';
import { printable } from '../json/preview.ts';
import { withMembersInText } from '../json/serialize.ts';
import { memoize } from '../collections/memoize.ts';
import { ownValue } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { notExecuted, whyNotExecuted } from '../messages/call-messages.ts';
import { toolDescription } from '../messages/describe-tool.ts';
import { providerTools } from '../providers/providers.ts';
import {
  type InnerTool,
  type Pins,
  TrustedDefinitions,
  findTool,
  interpretCall,
} from '../registry/interpret-call.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { validatorOf } from '../validate/validator.ts';
import { parameterHeaders } from './headers.ts';
import {
  type TextEdit,
  type TextRange,
  elementRanges,
  memberEdit,
  memberRanges,
} from './message.ts';

/** How the tools of one server are shown and called. */
export interface ServerToolOptions extends Pick<
  RemoteOptions,
  'prefix' | 'overlay' | 'annotations'
> {
  /**
   * Digests of the accepted definitions, by shown name. Calls of all other tools are refused.
   * Default: all are accepted.
   */
  readonly pins?: Pins;
  /** False: descriptions stay as they are. Default: true. */
  readonly hints?: boolean;
}

/** What becomes of a call. */
export type CallDecision =
  /** As it came. */
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'changed';
      /** The server's name of the tool. */
      readonly name: string;
      /** JSON text. */
      readonly arguments: string;
      /** Sentences for the model, to be added to the result. */
      readonly notes: readonly string[];
      readonly rules: readonly string[];
    }
  | {
      readonly kind: 'refused';
      readonly tool: string;
      readonly message: string;
      /** The keywords of what is wrong. */
      readonly issues: readonly string[];
    }
  | { readonly kind: 'unknown'; readonly message: string };

interface ServerTool {
  /** The server's name. */
  readonly remoteName: string;
  /** Undefined: the tool can't be read, and its calls are passed on as they are. */
  readonly contract: ToolContract | undefined;
}

/** The tools of one server in one connection: adds hints to their list, and repairs their calls. */
export class ServerTools {
  readonly #options: ServerToolOptions;
  readonly #trusted: TrustedDefinitions;
  readonly #log: (line: string) => void;
  /** By the shown name. */
  #tools = new Map<string, ServerTool>();
  #listedTools = new Map<string, ServerTool>();
  #isWhole = false;
  readonly #warned = new Set<string>();

  constructor(options: ServerToolOptions, log: (line: string) => void) {
    this.#options = options;
    this.#trusted = new TrustedDefinitions(options.pins);
    this.#log = log;
  }

  /** Whether all tools are known, as the server listed them last. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** The digests of all tools that can be pinned, by shown name. */
  digests(): Pins {
    return Object.fromEntries(
      [...this.#tools].flatMap(([name, { contract }]) =>
        contract === undefined ? [] : [[name, contractDigest(contract)] as const],
      ),
    );
  }

  /** The server has changed its list. Until it is read again, the tools stay known. */
  forget(): void {
    this.#isWhole = false;
  }

  /**
   * Reads a page of the list; `result`: its place in the text. Returns edits of names, descriptions
   * and schemas.
   */
  readPage(
    page: JsonObject,
    text: string,
    result: TextRange,
    isFirst: boolean,
  ): readonly TextEdit[] {
    const entries = ownValue(page, 'tools');
    const range = memberRanges(text, result).get('tools');
    if (!isJsonArray(entries) || range === undefined) return [];
    if (isFirst) this.#listedTools = new Map();
    const ranges = elementRanges(text, range);
    const edits = entries.flatMap((entry, index) => {
      const at = ranges[index];
      return at === undefined ? [] : this.#readEntry(entry, text, at);
    });
    const nextCursor = ownValue(page, 'nextCursor');
    if (typeof nextCursor !== 'string' || nextCursor === '') {
      this.#tools = this.#listedTools;
      this.#isWhole = true;
      this.#warnOfUnlisted();
    }
    return edits;
  }

  /**
   * What an overlay says of a tool that isn't listed has no effect, such as its fixed arguments.
   */
  #warnOfUnlisted(): void {
    const names = Array.from(this.#tools.values(), ({ remoteName }) => remoteName);
    for (const name of Object.keys(this.#options.overlay ?? {})) {
      if (names.includes(name)) continue;
      const suggestion = nearestName(name, names);
      const instead =
        suggestion === undefined ? '' : `; the nearest name is ${printable(suggestion)}`;
      this.#warn(
        name,
        `has an overlay, and the server doesn't list it: the overlay has no effect${instead}`,
      );
    }
  }

  #readEntry(entry: JsonValue, text: string, range: TextRange): readonly TextEdit[] {
    const remoteName = isJsonObject(entry) ? ownValue(entry, 'name') : undefined;
    if (!isJsonObject(entry) || typeof remoteName !== 'string') return [];
    const tool: unknown = entry;
    const name = isTool(tool)
      ? registeredName(tool, this.#options)
      : `${this.#options.prefix ?? ''}${remoteName}`;
    if (this.#listedTools.has(name)) {
      this.#warn(name, 'is listed twice; calls are read by the first definition');
      return [];
    }
    const contract = isTool(tool) ? this.#contractOf(tool, name) : undefined;
    if (!isTool(tool))
      this.#warn(name, `has no input schema of an object: ${this.#withoutContract(remoteName)}`);
    this.#listedTools.set(name, { remoteName, contract });
    // A page at a time: calls may come before the last page.
    if (!this.#isWhole) this.#tools.set(name, { remoteName, contract });
    const changes: Record<string, string> =
      name === remoteName ? {} : { name: JSON.stringify(name) };
    if (contract === undefined || !isTool(tool)) return editsOf(text, range, changes);
    return editsOf(text, range, { ...changes, ...this.#shownParts(tool, contract) });
  }

  #contractOf(tool: ListedTool, name: string): ToolContract | undefined {
    try {
      const options = { ...this.#options, onUnusableSchema: 'warn' } as const;
      return remoteContract(tool, options, () => () => undefined);
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      const [problem] = error.problems;
      const instead = problem?.instead === undefined ? '' : ` (${problem.instead})`;
      this.#warn(
        name,
        `${problem?.what ?? 'can’t be read'}${instead}: ${this.#withoutContract(tool.name)}`,
      );
      return undefined;
    }
  }

  /** Whether calls have to be read, because pins or an overlay decide what becomes of them. */
  get restrictsCalls(): boolean {
    return this.#options.pins !== undefined || Object.keys(this.#options.overlay ?? {}).length > 0;
  }

  /** Neither a pin nor an overlay may be lost because a definition can't be read. */
  #isRefusedUnread(remoteName: string): boolean {
    return (
      this.#options.pins !== undefined || Object.hasOwn(this.#options.overlay ?? {}, remoteName)
    );
  }

  /** What becomes of the calls of a tool whose definition can't be read. */
  #withoutContract(remoteName: string): string {
    return this.#isRefusedUnread(remoteName)
      ? 'its calls are refused'
      : 'its calls are not repaired';
  }

  /** JSON of the parts that differ from those of the server. */
  #shownParts(tool: ListedTool, contract: ToolContract): Readonly<Record<string, string>> {
    const overlay = overlayOf(this.#options, tool.name);
    const {
      description: baseDescription = tool.description ?? '',
      hints = [],
      fixed: fixedArguments,
      arguments: args,
    } = overlay;
    const newDescription = toolDescription(
      contract,
      this.#options.hints === false ? { longest: 0 } : {},
    );
    const schemaHints = newDescription.text.slice(contract.description.trim().length).trim();
    const description = [baseDescription, schemaHints].filter((part) => part !== '').join('\n');
    const isChanged = overlay.description !== undefined || schemaHints !== '' || hints.length > 0;
    const [shownTool] =
      fixedArguments === undefined && args === undefined
        ? []
        : providerTools([{ contract, description, hints: newDescription.hints }], 'mcp');
    return {
      ...(isChanged ? { description: JSON.stringify(description) } : {}),
      ...(shownTool === undefined ? {} : { inputSchema: JSON.stringify(shownTool.inputSchema) }),
    };
  }

  /**
   * Decides on a call. `sentArguments`: JSON text of the arguments, or text that the client sent as a
   * string.
   */
  decide(name: string, sentArguments: string, isText: boolean): CallDecision {
    const match = findTool(this.#tools, name);
    if (match.kind === 'unknown') return { kind: 'unknown', message: match.message };
    const { name: shownName } = match;
    const { remoteName, contract } = match.tool;
    if (contract === undefined) {
      if (this.#isRefusedUnread(remoteName)) {
        const isPinned = Object.hasOwn(this.#options.pins ?? {}, shownName);
        const why = whyNotExecuted[isPinned ? 'definition_changed' : 'definition_unusable'];
        return {
          kind: 'refused',
          tool: shownName,
          message: notExecuted(shownName, why),
          issues: ['not_accepted'],
        };
      }
      if (remoteName === name) return { kind: 'unchanged' };
      return { kind: 'changed', name: remoteName, arguments: sentArguments, notes: [], rules: [] };
    }
    this.#warnOf(contract);
    const toolSet = {
      tools: new Map([[shownName, contract]]),
      trusted: this.#trusted,
      findInner: (_outer: ToolContract, innerName: string) => this.#innerTool(name, innerName),
    };
    const interpretedCall = interpretCall(
      toolSet,
      { id: '', name: shownName, arguments: sentArguments },
      {},
    );
    if (interpretedCall.status === 'unknown_tool')
      return { kind: 'unknown', message: interpretedCall.message };
    if (interpretedCall.status !== 'accepted')
      return {
        kind: 'refused',
        tool: shownName,
        message: interpretedCall.message,
        issues: interpretedCall.interpretation.issues.map(({ keyword }) => keyword),
      };
    const { interpretation } = interpretedCall;
    const fixedArguments = fixedMembers(overlayOf(this.#options, remoteName).fixed ?? {}, {});
    const isSame =
      interpretation.status === 'unchanged' &&
      fixedArguments.length === 0 &&
      remoteName === name &&
      !isText;
    if (isSame) return { kind: 'unchanged' };
    return {
      kind: 'changed',
      name: remoteName,
      arguments: withMembersInText(argumentsText(interpretation), fixedArguments),
      notes: interpretation.notes.map(({ text }) => text),
      rules: interpretation.repairs.map(({ rule }) => rule),
    };
  }

  /**
   * The tool that a dispatcher calls, with the server's name. A server may have tools that it doesn't
   * list, such as those that a search finds.
   */
  #innerTool(outer: string, requestedName: string): InnerTool {
    const match = findTool(this.#tools, requestedName);
    const remoteTools = new Map(
      Array.from(this.#tools.values(), (tool) => [tool.remoteName, tool] as const),
    );
    const remoteMatch = findTool(remoteTools, requestedName);
    const inner = [remoteMatch, match].find(({ kind }) => kind !== 'unknown');
    if (inner === undefined || inner.kind === 'unknown' || inner.name === outer)
      return { kind: 'unlisted' };
    const contract = remotelyNamed(inner.tool);
    return contract === undefined ? { kind: 'unlisted' } : { kind: 'known', contract };
  }

  /**
   * The schema by which calls are read; undefined for a tool that isn't known, or can't be read.
   */
  schemaOf(name: string): object | undefined {
    const match = findTool(this.#tools, name);
    return match.kind === 'unknown' ? undefined : match.tool.contract?.inputSchema;
  }

  /** The headers of a call over HTTP that repeat some of its arguments. `sentArguments`: JSON text. */
  headersOf(remoteName: string, sentArguments: string): Readonly<Record<string, string>> {
    const tool = [...this.#tools.values()].find((entry) => entry.remoteName === remoteName);
    if (tool?.contract === undefined || !hasParameterHeaders(tool.contract)) return {};
    const reading = parseJson(sentArguments, maxDepth);
    return reading.kind === 'read'
      ? parameterHeaders(tool.contract.inputSchema, reading.value)
      : {};
  }

  #warnOf(contract: ToolContract): void {
    for (const { message } of validatorOf(contract).warnings) this.#warn(contract.name, message);
  }

  #warn(name: string, what: string): void {
    const line = `${printable(name)} ${what}`;
    if (this.#warned.has(line)) return;
    this.#warned.add(line);
    this.#log(line);
  }
}

const maxDepth = 256;

/** With the name by which the server's own dispatchers know the tool. */
const remotelyNamed = memoize(({ remoteName, contract }: ServerTool): ToolContract | undefined =>
  contract === undefined || contract.name === remoteName
    ? contract
    : Object.freeze({ ...contract, name: remoteName }),
);

const hasParameterHeaders = memoize(({ inputSchema }: ToolContract): boolean =>
  JSON.stringify(inputSchema).includes('"x-mcp-header"'),
);

const editsOf = (
  text: string,
  range: TextRange,
  members: Readonly<Record<string, string>>,
): readonly TextEdit[] =>
  Object.entries(members).map(([key, value]) => memberEdit(text, range, key, value));
