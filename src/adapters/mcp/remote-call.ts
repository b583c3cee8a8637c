import type {
  CallToolResult,
  Client,
  ContentBlock,
  ImageContent,
} from '@modelcontextprotocol/client';
import { longestTimeout } from '../../options/check-options.ts';
import { collectProblems } from '../../errors/definition-error.ts';
import { ToolFailure, ToolmendError } from '../../errors/errors.ts';
import type { ToolContext } from '../../run/tool-context.ts';
import { ToolResult, isFile, isImage } from '../../outcomes/tool-result.ts';
import { wireValue } from '../../json/parse.ts';
import { printable } from '../../json/preview.ts';
import { readPlainValue, withMembersInText, writeJson } from '../../json/serialize.ts';
import { memoize } from '../../collections/memoize.ts';
import { defined, memberOf } from '../../collections/objects.ts';
import { type JsonValue } from '../../json/value.ts';
import { notExecuted, whyNotExecuted } from '../../messages/call-messages.ts';
import type { SchemaObject } from '../../schema/json-schema.ts';
import { textMember } from '../../schema/not-a-schema.ts';
import { contractFromSchema } from '../../tool/from-schema.ts';
import type { ApplicationContext } from '../../tool/tool-contract.ts';
import { validatorOf } from '../../validate/validator.ts';
import type { ToolClient } from './first-sdk.ts';
import type { FixedArgument, ListedTool } from './remote-options.ts';
import { callAsTask, isSentAsTask } from './remote-task.ts';

export type FixedArguments = Readonly<Record<string, FixedArgument>>;

export interface RemoteTool {
  /** In the registry. */
  readonly name: string;
  readonly listedTool: ListedTool;
  readonly fixedArguments: FixedArguments;
}

/**
 * Sends accepted arguments as exact JSON, and returns the server's answer. Throws a ToolFailure if
 * the model should know why not.
 */
export function sendCall(
  client: ToolClient,
  { name, listedTool, fixedArguments }: RemoteTool,
): (text: string, context: ToolContext) => Promise<ToolResult> {
  const definition = definitionFor(listedTool);
  return async (text, context) => {
    const sentArguments: Record<string, unknown> = Object(
      wireValue(withMembersInText(text, fixedMembers(fixedArguments, context.values))),
    );
    if (client.transport === undefined)
      throw new ToolFailure(notExecuted(name, whyNotExecuted.disconnected));
    const { signal, progress: onprogress } = context;
    let answer: CallToolResult;
    try {
      // The timeout of the call itself applies.
      const options = { signal, onprogress, timeout: longestTimeout, ...definition };
      const call = { name: listedTool.name, arguments: sentArguments };
      answer = isSentAsTask(client, listedTool, context)
        ? await callAsTask({ client, name, sentCall: call, isLost }, context)
        : await client.callTool(call, options);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ToolFailure) throw error;
      const message = messageOf(error, name);
      throw message === undefined ? error : new ToolFailure(message, { cause: error });
    }
    const { isError, structuredContent } = answer;
    if (isError === true || isDeclaredOutput(listedTool.outputSchema, structuredContent))
      return resultOf(answer, name);
    const what = `${name} was executed, but its result does not match the output schema of its server.`;
    throw new ToolFailure(what, { cause: answer });
  };
}

type CallToolOptions = NonNullable<Parameters<Client['callTool']>[1]>;

/**
 * The definition without its output schema: the client would report a result that doesn't match it
 * like a refused call, though the call was executed. So results are validated here.
 */
function definitionFor({
  outputSchema,
  ...definition
}: ListedTool): Pick<CallToolOptions, 'toolDefinition'> {
  return outputSchema !== undefined && isDefinition(definition)
    ? { toolDefinition: definition }
    : {};
}

/** The SDK's type has mutable arrays. */
const isDefinition = (
  definition: object,
): definition is NonNullable<CallToolOptions['toolDefinition']> => 'inputSchema' in definition;

/**
 * Whether structured content matches the schema. Compiled on first use; an unusable schema accepts
 * anything.
 */
function isDeclaredOutput(
  outputSchema: SchemaObject | undefined,
  structuredContent: unknown,
): boolean {
  const validator = outputSchema && validatorOfOutput(outputSchema);
  if (validator === undefined) return true;
  return structuredContent !== undefined && validator.accepts(writeJson(structuredContent).value);
}

const validatorOfOutput = memoize((inputSchema: SchemaObject) => {
  const strict = { paths: 'off', spellings: false } as const;
  return collectProblems(() => validatorOf(contractFromSchema({ inputSchema, strict })), []);
});

/** Throws a ToolmendError if a function doesn't return JSON, and what a function throws. */
export const fixedMembers = (
  fixedArguments: FixedArguments,
  values: ApplicationContext,
): readonly (readonly [string, JsonValue])[] =>
  Object.entries(fixedArguments).map(([name, value]) => {
    const reading = readPlainValue(
      typeof value === 'function' ? value(values) : value,
      maxFixedDepth,
    );
    if (reading.kind === 'plain') return [name, reading.value];
    const message = `the function for the fixed argument ${name} did not return JSON`;
    throw new ToolmendError('fixed-argument', message);
  });

export const maxFixedDepth = 64;

/**
 * The message for the model. Undefined for an error that isn't about the connection or the server.
 */
function messageOf(error: unknown, name: string): string | undefined {
  const code = memberOf(error, 'code');
  if (typeof code === 'number') {
    const serverMessage = printable(textMember(error, 'message') ?? '', maxServerMessage);
    return serverMessage.trim() === ''
      ? `The server of ${name} refused the call and does not say why.`
      : `The server of ${name} refused the call: ${serverMessage}`;
  }
  if (isUnreachable(error)) return notExecuted(name, whyNotExecuted.unreachable);
  if (code === 'INVALID_RESULT' || code === 'UNSUPPORTED_RESULT_TYPE')
    return `${name} was executed, but the answer of its server can't be understood.`;
  return isLost(error)
    ? `${name} has no result: the connection to its server was lost. Part of its work may be done.`
    : undefined;
}

/** Characters of a server's error message. */
const maxServerMessage = 2_000;

/** Nothing was sent: https://nodejs.org/api/errors.html#common-system-errors */
const isUnreachable = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].some(
    (code) => memberOf(memberOf(error, 'cause'), 'code') === code,
  );

/** By the SDK's codes, or by what `fetch` throws: a TypeError, perhaps of another realm. */
function isLost(error: unknown): boolean {
  const code = memberOf(error, 'code');
  if (typeof code === 'string') return lostCodes.has(code) || code.startsWith('CLIENT_HTTP');
  const message = textMember(error, 'message') ?? '';
  return memberOf(error, 'name') === 'TypeError' && /fetch|network|terminated/i.test(message);
}

const lostCodes = new Set(['CONNECTION_CLOSED', 'NOT_CONNECTED', 'SEND_FAILED', 'REQUEST_TIMEOUT']);

/** The answer itself is the artifact. Throws a ToolFailure for an error. */
function resultOf(answer: CallToolResult, name: string): ToolResult {
  const { content, structuredContent, isError } = answer;
  if (isError === true) {
    const texts = content.flatMap((block) => blockText(block) ?? []);
    throw new ToolFailure(errorText(texts, structuredContent, name), { cause: answer });
  }
  const images = content.filter((block) => block.type === 'image').filter(isShowable);
  const texts = content.flatMap((block) => (isFileBlock(block) ? [] : (blockText(block) ?? [])));
  const text = texts.length === 0 ? undefined : texts.join('\n');
  const result = ToolResult.of(structuredContent === undefined ? text : structuredContent);
  const shownResult =
    structuredContent === undefined || text === undefined ? result : result.text(text);
  const withImages = images.reduce(
    (whole, { data, mimeType }) => whole.image(data, mimeType),
    shownResult,
  );
  return content.filter(isFileBlock).reduce(withFile, withImages).artifact(answer);
}

const maxErrorText = 10_000;

/** Some servers describe an error in structured content alone. */
function errorText(texts: readonly string[], structuredContent: unknown, name: string): string {
  const words = texts.join('\n');
  const text =
    words.trim() === '' && structuredContent !== undefined
      ? JSON.stringify(structuredContent)
      : words;
  if (text.trim() === '') return `${name} failed, and its server does not say why.`;
  return text.length > maxErrorText
    ? `${text.slice(0, maxErrorText).toWellFormed()}… (${text.length - maxErrorText} more characters are left out)`
    : text;
}

const isShowable = ({ data, mimeType }: ImageContent): boolean => isImage(data, mimeType);

type FileBlock = Extract<ContentBlock, { type: 'audio' | 'resource' | 'resource_link' }>;

/** Whether a block is a file of the result. The text of a resource is text for the model. */
function isFileBlock(block: ContentBlock): block is FileBlock {
  if (block.type === 'audio') return isFile(block.data, block.mimeType);
  if (block.type === 'resource_link') return URL.canParse(block.uri);
  return (
    block.type === 'resource' &&
    'blob' in block.resource &&
    isFile(block.resource.blob, block.resource.mimeType ?? unknownType)
  );
}

/** https://www.iana.org/assignments/media-types/application/octet-stream */
const unknownType = 'application/octet-stream';

function withFile(result: ToolResult, block: FileBlock): ToolResult {
  if (block.type === 'audio') return result.file(block.data, block.mimeType);
  if (block.type === 'resource_link') {
    const { uri, name, title = name, mimeType: mediaType, description } = block;
    const size = Number.isSafeInteger(block.size) ? block.size : undefined;
    return result.link(uri, { name: title, ...defined({ mediaType, description, size }) });
  }
  const { resource } = block;
  return 'blob' in resource
    ? result.file(resource.blob, resource.mimeType ?? unknownType, { uri: resource.uri })
    : result;
}

/** Undefined for an image that the model sees. */
function blockText(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'image')
    return isShowable(block) ? undefined : unshown('image', block.mimeType);
  if (block.type === 'audio') return unshown('audio', block.mimeType);
  if (block.type === 'resource_link') {
    const { uri, title, name, description } = block;
    return [title ?? name, uri, description].filter((part) => part !== undefined).join('\n');
  }
  const { resource } = block;
  return 'text' in resource
    ? `${resource.uri}\n${resource.text}`
    : unshown(`resource ${printable(resource.uri)}`, resource.mimeType ?? 'binary');
}

const unshown = (what: string, mimeType: string): string =>
  `[${what}, ${printable(mimeType)}, which can't be shown]`;
