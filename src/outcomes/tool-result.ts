import { definitionError, DefinitionError } from '../errors/definition-error.ts';
import { ToolmendError } from '../errors/errors.ts';
import { quote } from '../json/preview.ts';
import { writeJson } from '../json/serialize.ts';
import { attempt } from '../collections/attempt.ts';
import { memoize } from '../collections/memoize.ts';
import { defined, objectOf, isContainer } from '../collections/objects.ts';
import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import {
  type OptionKinds,
  checkOptions,
  count as integer,
  required,
  string,
} from '../options/check-options.ts';
import { base64Of } from '../platform/base64.ts';
import { contractFromSchema } from '../tool/from-schema.ts';
import { echoMask, holdsSecret, redact } from '../tool/secrets.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type ContractValidator, validatorOf, viewsOf } from '../validate/validator.ts';

/** An image for the model. */
export interface ResultImage {
  /** Base64. */
  readonly data: string;
  /** `image/png`, … */
  readonly mediaType: string;
  readonly name?: string;
  /** Where the image is. */
  readonly uri?: string;
}

/** A file beside the text of a result: its content, or a link to it. */
export type ResultFile = EmbeddedFile | LinkedFile;

/** Audio, a document or another file, with its content. */
export interface EmbeddedFile {
  readonly kind: 'embedded';
  /** Base64. */
  readonly data: string;
  /** `audio/wav`, `application/pdf`, … */
  readonly mediaType: string;
  readonly name?: string;
  /** Where the file is. MCP names embedded files by it. */
  readonly uri?: string;
}

/** A file that whoever needs it fetches. */
export interface LinkedFile {
  readonly kind: 'linked';
  readonly uri: string;
  readonly name: string;
  readonly mediaType?: string;
  readonly description?: string;
  /** In bytes. */
  readonly size?: number;
}

/** The parts of a result; frozen. */
export interface ResultParts {
  /** The value as returned without a ToolResult. */
  readonly value: unknown;
  /** What the model reads instead of the value. */
  readonly text?: string;
  readonly images: readonly ResultImage[];
  /** Absent without files, and in results of older copies of toolmend. */
  readonly files?: readonly ResultFile[];
  /** Data for the application that the model doesn't see. */
  readonly artifact?: unknown;
  readonly returnDirect?: true;
}

const marker = Symbol.for('toolmend.result');

/** What `ToolResult.file` says of a file, and `ToolResult.image` of an image. */
export type FileOptions = Pick<EmbeddedFile, 'name' | 'uri'>;

/** What `ToolResult.link` says of a file. `name` is required. */
export type LinkOptions = Omit<LinkedFile, 'kind' | 'uri'>;

const fileOptionKinds: OptionKinds<FileOptions> = { name: string, uri: string };

const linkOptionKinds: OptionKinds<LinkOptions> = {
  name: required(string),
  mediaType: string,
  description: string,
  size: integer(0),
};

/**
 * A result with a text, images, files or an artifact:
 * `ToolResult.of(rows).text('3 rows').artifact(table)`. Each step returns a new one.
 */
export class ToolResult {
  readonly parts: ResultParts;

  private constructor(parts: ResultParts) {
    this.parts = Object.freeze(parts);
    Object.defineProperty(this, marker, { value: true });
  }

  /** `value`: any value that a tool may return, or another ToolResult. Default: no value. */
  static of(value?: unknown): ToolResult {
    return new ToolResult(partsOf(value));
  }

  /** Text for the model instead of the value's JSON. The value is sent as structured content. */
  text(text: string): ToolResult {
    return new ToolResult({ ...this.parts, text });
  }

  /**
   * Adds an image for the model, as bytes or base64. The name is for the application; of models'
   * APIs only AI SDK 7 has one. Throws a DefinitionError for data that is not an image.
   */
  image(data: Uint8Array | string, mediaType: string, options: FileOptions = {}): ToolResult {
    checkOptions('ToolResult.image', options, fileOptionKinds);
    const text = typeof data === 'string' ? data : base64Of(data);
    if (!isImage(text, mediaType)) throw noImage(mediaType);
    const image = Object.freeze({ data: text, mediaType, ...defined(options) });
    return new ToolResult({ ...this.parts, images: Object.freeze([...this.parts.images, image]) });
  }

  /**
   * Adds a file for the model, such as audio or a PDF, as bytes or base64. An image is added as by
   * `image`. Where a provider doesn't take files of its type, the model reads what it is. Throws a
   * DefinitionError for data without content, or that isn't base64.
   */
  file(data: Uint8Array | string, mediaType: string, options: FileOptions = {}): ToolResult {
    checkOptions('ToolResult.file', options, fileOptionKinds);
    const text = typeof data === 'string' ? data : base64Of(data);
    if (isImage(text, mediaType)) return this.image(text, mediaType, options);
    if (!isFile(text, mediaType)) throw noFile(mediaType);
    return this.#withFile({ kind: 'embedded', data: text, mediaType, ...defined(options) });
  }

  /**
   * Adds a link to a file: `link(uri, { name: 'report.pdf' })`. MCP has links in results; other
   * models read the name and the address as text.
   */
  link(uri: string, options: LinkOptions): ToolResult {
    checkOptions('ToolResult.link', options, linkOptionKinds);
    if (!URL.canParse(uri)) throw noLink(uri);
    const { name, ...facts } = options;
    return this.#withFile({ kind: 'linked', uri, name, ...defined(facts) });
  }

  /** Sets data for the application that the model doesn't see. */
  artifact(artifact: unknown): ToolResult {
    return new ToolResult({ ...this.parts, artifact });
  }

  /** Marks the result as meant for the user as it is. */
  returnDirect(): ToolResult {
    return new ToolResult({ ...this.parts, returnDirect: true });
  }

  #withFile(file: ResultFile): ToolResult {
    const files = [...(this.parts.files ?? []), Object.freeze(file)];
    return new ToolResult({ ...this.parts, files: Object.freeze(files) });
  }
}

/**
 * Whether providers can read an image: one that they can't read may cost the whole conversation.
 * `data`: base64.
 */
export const isImage = (data: unknown, mediaType: unknown): boolean =>
  isBase64(data) && typeof mediaType === 'string' && /^image\/[\w.+-]+$/.test(mediaType);

/** Without padding, too, as some MCP servers write it. No bytes have one character more than groups of four. */
const isBase64 = (data: unknown): boolean =>
  typeof data === 'string' &&
  /^[A-Za-z0-9+/]+={0,2}$/.test(data) &&
  (data.endsWith('=') ? data.length % 4 === 0 : data.length % 4 !== 1);

/** Whether data of this type can be a file of a result. `data`: base64. */
export const isFile = (data: unknown, mediaType: unknown): boolean =>
  isBase64(data) &&
  typeof mediaType === 'string' &&
  /^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/.test(mediaType);

const noFile = (mediaType: unknown): DefinitionError =>
  definitionError(
    'ToolResult.file',
    `was given data that is not a file (${String(mediaType).slice(0, 64)})`,
    "write file(bytes, 'application/pdf'), with bytes or their base64; for text, new TextEncoder().encode(text)",
  );

const noLink = (uri: unknown): DefinitionError =>
  definitionError(
    'ToolResult.link',
    `was given ${typeof uri === 'string' ? quote(uri) : typeof uri}, which is not a URI`,
    "write link('https://…', { name })",
  );

const noImage = (mediaType: unknown): DefinitionError =>
  definitionError(
    'ToolResult.image',
    `was given data that is not an image (${String(mediaType).slice(0, 64)})`,
    "write image(bytes, 'image/png'), with bytes or their base64",
  );

/**
 * The parts of a tool's return value. A ToolResult of another installed copy of toolmend is
 * recognized.
 */
export const partsOf = (returnedValue: unknown): ResultParts =>
  isToolResult(returnedValue) ? returnedValue.parts : { value: returnedValue, images: [] };

/** Never throws: a returned value may be a proxy that does. */
const isToolResult = (returnedValue: unknown): returnedValue is ToolResult =>
  isContainer(returnedValue) && attempt(() => Object.hasOwn(returnedValue, marker)) === true;

/**
 * A result for the model: strings as they are, other values as JSON; always well-formed Unicode.
 */
export interface ResultContent {
  /** The result as text, or the message about what went wrong. */
  readonly text: string;
  /**
   * A plain copy of a result that is not a string; the same data as `text`, unless the tool set its
   * own text.
   */
  readonly structured?: JsonValue;
  readonly images?: readonly ResultImage[];
  /** Where a provider can't carry a file, adapters write a text in its place. */
  readonly files?: readonly ResultFile[];
}

/** What the model reads if a tool returned nothing. */
export const nothingReturned = 'Done. There is no output.';

/** Throws for a value without a JSON form. */
export function resultContent({ value, text, images, files = [] }: ResultParts): ResultContent {
  const attachments = {
    ...(images.length === 0 ? {} : { images }),
    ...(files.length === 0 ? {} : { files }),
  };
  const ownText = text?.toWellFormed();
  if (value === undefined) {
    const hasAttachments = images.length > 0 || files.length > 0;
    return { text: ownText ?? (hasAttachments ? '' : nothingReturned), ...attachments };
  }
  if (typeof value === 'string') return { text: ownText ?? value.toWellFormed(), ...attachments };
  const json = writeJson(value);
  return { text: ownText ?? json.text, structured: json.value, ...attachments };
}

const mask = '(secret)';

/**
 * The result's text with secrets masked; undefined if they can't be located, because the result has
 * no structured value.
 */
export function resultWithoutSecrets(
  contract: ToolContract,
  { text, structured }: ResultContent,
): string | undefined {
  const views = outputValidatorOf(contract)?.views;
  if (views === undefined || !holdsSecret(views, views.root)) return text;
  return structured === undefined
    ? undefined
    : JSON.stringify(redact(views, structured, views.root, mask));
}

/** Hides the secrets of a call's arguments in what its tool returns and says. */
export interface EchoMask {
  readonly text: (text: string) => string;
  readonly content: (content: ResultContent) => ResultContent;
  readonly value: (value: JsonValue) => JsonValue;
}

/** Undefined if the arguments have no declared secret. */
export function echoMaskOf(contract: ToolContract, values: JsonObject): EchoMask | undefined {
  const text = echoMask(viewsOf(contract), values, mask);
  if (text === undefined) return undefined;
  const content = ({ structured, ...visibleContent }: ResultContent): ResultContent => ({
    ...visibleContent,
    text: text(visibleContent.text),
    ...(structured === undefined ? {} : { structured: maskedValue(structured, text) }),
  });
  return { text, content, value: (value) => maskedValue(value, text) };
}

/** The arguments without declared secrets, also where another argument repeats one. */
export function argumentsWithoutSecrets(contract: ToolContract, values: JsonObject): JsonValue {
  const views = viewsOf(contract);
  if (!holdsSecret(views, views.root)) return values;
  return redact(views, echoMaskOf(contract, values)?.value(values) ?? values);
}

/** Instead of a number that is a secret, too, stands a text. */
function maskedValue(value: JsonValue, hide: (text: string) => string): JsonValue {
  if (typeof value === 'string') return hide(value);
  if (typeof value === 'number') return hide(String(value)) === String(value) ? value : mask;
  if (isJsonArray(value)) return value.map((element) => maskedValue(element, hide));
  if (!isJsonObject(value)) return value;
  const maskedMembers = new Map<string, JsonValue>();
  for (const [key, member] of Object.entries(value))
    maskedMembers.set(freeKey(hide(key), maskedMembers), maskedValue(member, hide));
  return objectOf(maskedMembers);
}

/** Two keys may be hidden by the same word. */
const freeKey = (key: string, members: ReadonlyMap<string, JsonValue>, count = 2): string => {
  if (!members.has(key)) return key;
  const numberedKey = `${key} ${count}`;
  return members.has(numberedKey) ? freeKey(key, members, count + 1) : numberedKey;
};

/**
 * The validator of a tool's results; undefined without an output schema. Throws a DefinitionError
 * for an unusable one.
 */
export const outputValidatorOf = memoize(
  ({ name, validator, execution }: ToolContract): ContractValidator | undefined => {
    const { outputSchema, annotatedOutputSchema: inputSchema = outputSchema } = execution ?? {};
    if (inputSchema === undefined) return undefined;
    const strict = { paths: 'off', spellings: false } as const;
    const definition = { name, inputSchema, strict, ...defined({ validator }) };
    try {
      return validatorOf(contractFromSchema(definition));
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      const where = `${name}.outputSchema`;
      throw new DefinitionError(error.problems.map((problem) => ({ ...problem, where })));
    }
  },
);

/** Throws a ToolmendError that names the failing keywords and paths. */
export function checkOutput(contract: ToolContract, structured: JsonValue | undefined): void {
  const validator = outputValidatorOf(contract);
  if (validator === undefined) return;
  const places = failingPlaces(validator, contract, structured);
  if (places.length === 0) return;
  const shownPlaces = places
    .slice(0, maxPlaces)
    .map(({ check, path }) => `${check} at ${path || 'the root'}`);
  const what =
    structured === undefined
      ? 'no structured value'
      : `what its outputSchema does not allow (${shownPlaces.join(', ')})`;
  throw new ToolmendError('output-schema', `${contract.name} returned ${what}`);
}

const maxPlaces = 8;

/**
 * Keywords or names of the author's checks, with their paths. Values are left out, because they may
 * be secret.
 */
function failingPlaces(
  validator: ContractValidator,
  { execution }: ToolContract,
  structured: JsonValue | undefined,
): readonly { readonly check: string; readonly path: string }[] {
  if (structured === undefined) return [{ check: 'type', path: '' }];
  if (!validator.accepts(structured))
    return validator.failures(structured).map(({ keyword, path }) => ({ check: keyword, path }));
  return isJsonObject(structured) ? (execution?.outputCheck?.(structured) ?? []) : [];
}
