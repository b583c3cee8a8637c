import { longestTimeout } from '../../errors/check-options.ts';
import { types } from 'node:util';
import type { CallToolResult, Client, ContentBlock, ImageContent } from '@modelcontextprotocol/client';
import {
  type ReportProblem,
  type DefinitionProblem,
  DefinitionError,
  definitionProblems,
} from '../../errors/definition-error.ts';
import { ToolFailure, ToolmendError } from '../../errors/errors.ts';
import type { ToolContext } from '../../execute/tool-context.ts';
import { ToolResult, isImage } from '../../execute/tool-result.ts';
import { wireValue } from '../../json/parse.ts';
import { readPlainValue, withMembersInText, writeJson } from '../../json/serialize.ts';
import { type JsonValue, objectOf, ownValue } from '../../json/value.ts';
import { printable } from '../../json/preview.ts';
import { notExecuted, whyNotExecuted } from '../../messages/call-messages.ts';
import { exceededLimit } from '../../schema/keywords.ts';
import {
  type JsonSchema,
  type SchemaObject,
  type ToolmendAnnotation,
  mapSubschemas,
} from '../../schema/json-schema.ts';
import { contractFromSchema } from '../../tool/from-schema.ts';
import type { ApplicationContext, ToolContract } from '../../tool/tool-contract.ts';
import { readToolMetadata } from '../../tool/tool-options.ts';
import { validatorOf } from '../../validate/validator.ts';
import {
  type ArgumentOverlay,
  type FixedArgument,
  type RemoteOptions,
  type ToolOverlay,
  effectsOf,
} from './remote-options.ts';
import type { ListedTool } from './remote-tools.ts';

// JSON, or what its functions make of the call's context values.
export type FixedArguments = NonNullable<ToolOverlay['fixed']>;

const deepest = 64;

/** Reports what could never be sent. */
function requireFixed(fixed: FixedArguments, report: ReportProblem): void {
  for (const [name, value] of Object.entries<unknown>(fixed)) {
    const isMade = typeof value === 'function' && !types.isAsyncFunction(value);
    if (isMade || readPlainValue(value, deepest).kind === 'plain') continue;
    const kind = typeof value === 'function' ? 'an async function' : 'no JSON';
    report(
      `has ${kind} as the fixed argument ${JSON.stringify(name)}`,
      'write a JSON value, or a function that returns one; what must be awaited belongs into the call’s context',
    );
  }
}

/** Throws a ToolmendError for a function that returned no JSON, and what such a function throws. */
const fixedMembers = (
  fixed: FixedArguments,
  values: ApplicationContext,
): readonly (readonly [string, JsonValue])[] =>
  Object.entries(fixed).map(([name, value]) => [name, valueOf(name, value, values)] as const);

function valueOf(name: string, fixed: FixedArgument, values: ApplicationContext): JsonValue {
  const reading = readPlainValue(typeof fixed === 'function' ? fixed(values) : fixed, deepest);
  if (reading.kind === 'plain') return reading.value;
  throw new ToolmendError('fixed-argument', `the function of the fixed argument ${name} returned no JSON`);
}

// A copy with our annotations, without the arguments that no model sees, and without anything in its words that could
// steer a model.
/** Reports arguments that the tool doesn't have. A schema that is too large to be looked at is as it came. */
const remoteSchema = (schema: SchemaObject, overlay: ToolOverlay, report: ReportProblem): SchemaObject =>
  exceededLimit(schema) === undefined ? overlaySchema(cleanSchema(schema), overlay, report) : schema;

function overlaySchema(
  schema: SchemaObject,
  { arguments: said = {}, pairs = [], fixed = {} }: ToolOverlay,
  report: ReportProblem,
): SchemaObject {
  for (const name of Object.keys(fixed)) requireArgument(schema, name, report);
  requireFixed(fixed, report);
  const annotated = withArguments(schema, said, report);
  const before = annotated['x-toolmend'];
  const paired: SchemaObject =
    pairs.length === 0
      ? annotated
      : { ...annotated, 'x-toolmend': { ...before, relational: [...(before?.relational ?? []), ...pairs] } };
  return withoutArguments(paired, new Set(Object.keys(fixed)));
}

/** A copy whose titles and descriptions hold no control tokens and nothing that can't be seen. */
function cleanSchema(schema: SchemaObject): SchemaObject {
  const { title, description } = schema;
  return {
    ...mapSubschemas(schema, cleanSchema),
    ...(typeof title === 'string' ? { title: cleanText(title) } : {}),
    ...(typeof description === 'string' ? { description: cleanText(description) } : {}),
  };
}

/** Lines stay lines. */
const cleanText = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => printable(line, Number.MAX_SAFE_INTEGER))
    .join('\n');

function withArguments(
  schema: SchemaObject,
  said: Readonly<Record<string, ArgumentOverlay>>,
  report: ReportProblem,
): SchemaObject {
  const names = Object.keys(said).filter((name) => requireArgument(schema, name, report));
  if (names.length === 0) return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([name, below]) => {
    const overlay = ownValue(said, name);
    return [name, overlay === undefined ? below : withArgument(below, overlay, report)] as const;
  });
  return { ...schema, properties: objectOf(properties) };
}

function withArgument(below: JsonSchema, overlay: ArgumentOverlay, report: ReportProblem): SchemaObject {
  const { description, properties, items } = overlay;
  const schema = typeof below === 'boolean' ? {} : below;
  const annotation: ToolmendAnnotation = { ...schema['x-toolmend'], ...annotationOf(overlay) };
  const annotated: SchemaObject = {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(overlay.default === undefined ? {} : { default: overlay.default }),
    ...(Object.keys(annotation).length === 0 ? {} : { 'x-toolmend': annotation }),
  };
  const inner = properties === undefined ? annotated : withArguments(annotated, properties, report);
  if (items === undefined) return inner;
  const elements = schema.items;
  if (isSchema(elements)) return { ...inner, items: withArgument(elements, items, report) };
  report('says something of elements that the tool does not describe', 'leave items out of the overlay');
  return inner;
}

const isSchema = (items: SchemaObject['items']): items is JsonSchema =>
  items !== undefined && !Array.isArray(items);

const annotationOf = ({ aliases, semantic }: ArgumentOverlay): ToolmendAnnotation => ({
  ...(aliases === undefined ? {} : { aliases }),
  ...(semantic === 'path' ? { semantic } : {}),
  ...(semantic === 'verbatim' ? { verbatim: true } : {}),
  ...(semantic === 'secret' ? { secret: true } : {}),
});

function requireArgument(schema: SchemaObject, name: string, report: ReportProblem): boolean {
  if (Object.hasOwn(schema.properties ?? {}, name)) return true;
  const known = Object.keys(schema.properties ?? {}).map((key) => printable(key));
  report(
    `has no argument ${JSON.stringify(name)}, of which its overlay speaks`,
    known.length === 0 ? 'leave it out of the overlay' : `write one of ${known.join(', ')}`,
  );
  return false;
}

/** Where the schema requires one of several arguments, those that are set here count as given. */
function withoutArguments(schema: SchemaObject, hidden: ReadonlySet<string>): SchemaObject {
  if (hidden.size === 0) return schema;
  const { properties, required } = schema;
  const shown = Object.entries(properties ?? {}).filter(([name]) => !hidden.has(name));
  const branches = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const list = schema[keyword];
    return list === undefined
      ? []
      : [
          [
            keyword,
            list.map((one) => (typeof one === 'boolean' ? one : withoutArguments(one, hidden))),
          ] as const,
        ];
  });
  return {
    ...schema,
    ...Object.fromEntries(branches),
    ...(properties === undefined ? {} : { properties: objectOf(shown) }),
    ...(required === undefined ? {} : { required: required.filter((name) => !hidden.has(name)) }),
  };
}

// What is known of its call, in our words; the rest is for the log.
/** What to throw instead: an error that says nothing to a model stays as it is. */
function failureBehind(error: unknown, name: string): unknown {
  const sentence = sentenceFor(error, name);
  return sentence === undefined ? error : new ToolFailure(sentence, { cause: error });
}

/** For a client that is not connected: there is nobody to send the call to. */
const notConnected = (name: string): ToolFailure =>
  new ToolFailure(notExecuted(name, whyNotExecuted.disconnected));

/** For an answer that is none of those that its server has declared. */
const undeclared = (name: string, answer: unknown): ToolFailure =>
  new ToolFailure(`${name} was executed, but the answer of its server is not what it has declared.`, {
    cause: answer,
  });

function sentenceFor(error: unknown, name: string): string | undefined {
  const { code, message } = factsOf(error);
  if (typeof code === 'number') return refusal(name, printable(message, longestMessage));
  if (isUnreachable(error)) return notExecuted(name, whyNotExecuted.unreachable);
  if (code === 'INVALID_RESULT' || code === 'UNSUPPORTED_RESULT_TYPE')
    return `${name} was executed, but the answer of its server can't be understood.`;
  return isLost(error)
    ? `${name} has no result: the connection to its server was lost. Part of its work may be done.`
    : undefined;
}

const refusal = (name: string, said: string): string =>
  said.trim() === ''
    ? `The server of ${name} refused the call and does not say why.`
    : `The server of ${name} refused the call: ${said}`;

/** Of a server's own message. */
const longestMessage = 2_000;

/** Nothing was sent: https://nodejs.org/api/errors.html#common-system-errors */
const isUnreachable = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].some((code) => factsOf(factsOf(error).cause).code === code);

/** By the SDK's codes, or by what `fetch` throws: a TypeError, maybe of another realm. */
function isLost(error: unknown): boolean {
  const { code, name, message } = factsOf(error);
  if (typeof code === 'string') return lostCodes.has(code) || code.startsWith('CLIENT_HTTP');
  return name === 'TypeError' && /fetch|network|terminated/i.test(message);
}

const lostCodes = new Set(['CONNECTION_CLOSED', 'NOT_CONNECTED', 'SEND_FAILED', 'REQUEST_TIMEOUT']);

interface ErrorFacts {
  readonly code?: string | number;
  readonly name: string;
  readonly message: string;
  readonly cause?: unknown;
}

function factsOf(error: unknown): ErrorFacts {
  if (typeof error !== 'object' || error === null) return { name: '', message: '' };
  const code: unknown = Reflect.get(error, 'code');
  const name: unknown = Reflect.get(error, 'name');
  const message: unknown = Reflect.get(error, 'message');
  const cause: unknown = Reflect.get(error, 'cause');
  return {
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    name: typeof name === 'string' ? name : '',
    message: typeof message === 'string' ? message : '',
    cause,
  };
}

// Text for the model, images, data, and for the application the answer as it came.
/** Throws a ToolFailure for an answer that says it is an error. */
function resultOf(answer: CallToolResult, name: string): ToolResult {
  const { content, structuredContent, isError } = answer;
  const images = content.filter((block) => block.type === 'image').filter(isShowable);
  const texts = content.flatMap((block) => textOf(block) ?? []);
  if (isError === true) throw new ToolFailure(errorText(texts, structuredContent, name), { cause: answer });
  const text = texts.join('\n');
  const said =
    structuredContent === undefined
      ? ToolResult.of(texts.length === 0 ? undefined : text)
      : ToolResult.of(structuredContent);
  const shown = structuredContent === undefined || texts.length === 0 ? said : said.text(text);
  return images.reduce((result, { data, mimeType }) => result.image(data, mimeType), shown).artifact(answer);
}

/** An error is read at once, not in parts. */
const longestError = 10_000;

/** Some servers say what went wrong as data alone. */
function errorText(texts: readonly string[], structured: unknown, name: string): string {
  const words = texts.join('\n');
  const text = words.trim() === '' && structured !== undefined ? JSON.stringify(structured) : words;
  if (text.trim() === '') return `${name} failed, and its server does not say why.`;
  return text.length > longestError
    ? `${text.slice(0, longestError).toWellFormed()}… (${text.length - longestError} more characters are left out)`
    : text;
}

const isShowable = ({ data, mimeType }: ImageContent): boolean => isImage(data, mimeType);

/** undefined for images that are shown as such. */
function textOf(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'image')
    return isShowable(block) ? undefined : `[image, ${printable(block.mimeType)}, which can't be shown]`;
  if (block.type === 'audio') return `[audio, ${printable(block.mimeType)}, which can't be shown]`;
  if (block.type === 'resource_link') {
    const { uri, title, name, description } = block;
    return [title ?? name, uri, description].filter((part) => part !== undefined).join('\n');
  }
  const { resource } = block;
  return 'text' in resource
    ? `${resource.uri}\n${resource.text}`
    : `[resource ${printable(resource.uri)}, ${printable(resource.mimeType ?? 'binary')}, which can't be shown]`;
}

/** `structured`: undefined where the answer has none. */
export type OutputCheck = (structured: unknown) => boolean;

/** Compiled when it is first asked. A schema that nobody can validate against, or of no object, allows anything. */
function outputCheckOf(outputSchema: SchemaObject | undefined): OutputCheck {
  let accepts: OutputCheck | undefined;
  return (structured) => {
    accepts ??= outputSchema === undefined ? acceptAll : compiled(outputSchema);
    return accepts(structured);
  };
}

const acceptAll: OutputCheck = () => true;

function compiled(outputSchema: SchemaObject): OutputCheck {
  try {
    const strict = { paths: 'off', spellings: false } as const;
    const validator = validatorOf(contractFromSchema({ inputSchema: outputSchema, strict }));
    return (structured) => structured !== undefined && validator.accepts(writeJson(structured).value);
  } catch (error) {
    if (error instanceof DefinitionError) return acceptAll;
    throw error;
  }
}

// As the text that was accepted, with the arguments that the application sets.
export interface SentTool {
  /** As it is registered. */
  readonly name: string;
  /** As its server describes it. */
  readonly listed: ListedTool;
  readonly fixed: FixedArguments;
}

/** Sends arguments and gives what the server answered; throws a ToolFailure for what a model should know of. */
function sendCall(
  client: Client,
  { name, listed, fixed }: SentTool,
): (text: string, context: ToolContext) => Promise<ToolResult> {
  const isDeclared = outputCheckOf(listed.outputSchema);
  const definition = definitionFor(listed);
  return async (text, context) => {
    const sent: unknown = wireValue(withMembersInText(text, fixedMembers(fixed, context.values)));
    if (client.transport === undefined) throw notConnected(name);
    const { signal, progress: onprogress } = context;
    let answer: CallToolResult;
    try {
      // The call's own time limit is the one that holds.
      const options = { signal, onprogress, timeout: longestTimeout, ...definition };
      answer = await client.callTool({ name: listed.name, arguments: isRecord(sent) ? sent : {} }, options);
    } catch (error) {
      signal.throwIfAborted();
      throw failureBehind(error, name);
    }
    if (answer.isError !== true && !isDeclared(answer.structuredContent)) throw undeclared(name, answer);
    return resultOf(answer, name);
  };
}

/**
 * The client would refuse an answer that its server has not declared just as a server refuses a call: it is told of no output
 * schema, so that a call that was executed is never said to have been refused.
 */
function definitionFor({ outputSchema, ...definition }: ListedTool): Pick<SendOptions, 'toolDefinition'> {
  return outputSchema !== undefined && isDefinition(definition) ? { toolDefinition: definition } : {};
}

type SendOptions = NonNullable<Parameters<Client['callTool']>[1]>;

// As the server sent it; the SDK's type wants lists that could be written to.
const isDefinition = (definition: object): definition is NonNullable<SendOptions['toolDefinition']> =>
  'inputSchema' in definition;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

// Its schema validates and repairs here, and its calls leave as exact JSON.
const defaultTimeLimit = 60_000;

/** Names of the protocol: https://modelcontextprotocol.io/specification */
const allowedName = /^[A-Za-z0-9_.-]{1,128}$/;

/** Frozen. Throws a DefinitionError for a schema or a name that is none, and for an overlay that doesn't fit the tool. */
export function remoteContract(client: Client, tool: ListedTool, options: RemoteOptions): ToolContract {
  const overlay = overlayOf(options, tool.name);
  const { fixed = {} } = overlay;
  const name = registeredName(tool, options);
  const { facts, inputSchema, problems } = readOverlay(tool, options);
  if (problems.length > 0) throw new DefinitionError(problems);
  if (!allowedName.test(name)) throw badName(name);
  const contract = contractFromSchema({
    ...facts,
    name,
    description: overlay.description ?? cleanText(tool.description ?? ''),
    hints: overlay.hints ?? [],
    inputSchema,
    strict: overlay.strict ?? {},
    onUnusableSchema: options.onUnusableSchema ?? 'refuse',
    binding: Object.freeze({ kind: 'remote', send: sendCall(client, { name, listed: tool, fixed }) }),
  });
  const title = tool.title ?? tool.annotations?.title;
  return Object.freeze({
    ...contract,
    ...(title === undefined ? {} : { title: cleanText(title) }),
    contextFields: Object.freeze(Object.keys(fixed)),
  });
}

/** What stands against the overlay of a tool. */
export const overlayProblems = (tool: ListedTool, options: RemoteOptions): readonly DefinitionProblem[] =>
  readOverlay(tool, options).problems;

/** What a tool is called here. */
export const registeredName = ({ name }: ListedTool, options: RemoteOptions): string =>
  overlayOf(options, name).name ?? (options.prefix ?? '') + name;

function readOverlay(tool: ListedTool, options: RemoteOptions) {
  const overlay = overlayOf(options, tool.name);
  const book = definitionProblems();
  const report = book.at(registeredName(tool, options));
  const effects = effectsOf(tool, overlay, options.annotations);
  const { timeoutMs = defaultTimeLimit } = options;
  const said = { timeoutMs, ...overlay, ...(effects === undefined ? {} : { effects }) };
  // Name and description may be as no author of ours would write them.
  const facts = readToolMetadata({ ...said, name: 'tool', description: 'A tool.' }, 'tool', {}, report);
  const inputSchema = remoteSchema(tool.inputSchema, overlay, report);
  return { facts, inputSchema, problems: book.problems };
}

const overlayOf = ({ overlay = {} }: RemoteOptions, name: string): ToolOverlay =>
  (Object.hasOwn(overlay, name) ? overlay[name] : undefined) ?? {};

const badName = (name: string): DefinitionError =>
  new DefinitionError([
    {
      where: JSON.stringify(name),
      what: 'is a name that the protocol does not allow',
      instead: 'give it another one in the overlay',
    },
  ]);
