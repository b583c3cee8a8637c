import { setImmediate } from 'node:timers/promises';
import { DefinitionError } from '../errors/definition-error.ts';
import { ToolmendError } from '../errors/errors.ts';
import { writeJson } from '../json/serialize.ts';
import { type JsonValue, isJsonObject } from '../json/value.ts';
import { holdsSecret, redact } from '../tool/secrets.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { type ContractValidator, outputValidatorOf } from '../validate/validator.ts';
import type { Run } from './run-until-ended.ts';

/** Throws a ToolmendError that names the places. */
export function checkOutput(contract: ToolContract, structured: JsonValue | undefined): void {
  const validator = outputValidatorOf(contract);
  if (validator === undefined) return;
  const places = failingPlaces(validator, contract, structured);
  if (places.length === 0) return;
  const shown = places.slice(0, mostPlaces).map(({ check, path }) => `${check} at ${path || 'the root'}`);
  const what =
    structured === undefined
      ? 'no structured value'
      : `what its outputSchema does not allow (${shown.join(', ')})`;
  throw new ToolmendError('output-schema', `${contract.name} returned ${what}`);
}

const mostPlaces = 8;

/** By keyword, and by the name of what an author has written; no value is in it. */
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

// What it yields is progress, and what it returns is the result.
/** Milliseconds; after them timers and other calls have their turn, also beside a generator that never waits. */
const longestStretch = 10;

/** It is told to end when the run was stopped. */
export async function drainGenerator(
  returned: AsyncGenerator,
  run: Pick<Run, 'throwIfStopped'>,
  progress: (update: unknown) => void,
): Promise<unknown> {
  let turn = performance.now();
  try {
    for (;;) {
      if (performance.now() - turn > longestStretch) {
        await setImmediate();
        turn = performance.now();
      }
      const step = await returned.next();
      if (step.done === true) return step.value;
      run.throwIfStopped();
      progress(step.value);
    }
  } catch (error) {
    await returned.return(undefined);
    throw error;
  }
}

/** Only what a generator function makes: a stream or a list is a value like any other. */
export const isGenerator = (value: unknown): value is AsyncGenerator =>
  typeof value === 'object' && value !== null && generators.has(tagOf(value));

const generators: ReadonlySet<unknown> = new Set(['AsyncGenerator', 'Generator']);

/** Never throws, whatever a returned value does when it is looked at. */
function tagOf(value: object): unknown {
  try {
    return Reflect.get(value, Symbol.toStringTag);
  } catch {
    return undefined;
  }
}

// Words of its own for the model, images, and what only the application gets.
/** An image for the model. */
export interface ResultImage {
  /** Base64. */
  readonly data: string;
  /** `image/png`, … */
  readonly mediaType: string;
}

/** What a result is made of; frozen. */
export interface ResultParts {
  /** As it would have been returned without a ToolResult. */
  readonly value: unknown;
  /** What the model reads instead of the value. */
  readonly text?: string;
  readonly images: readonly ResultImage[];
  /** For the application alone. */
  readonly artifact?: unknown;
  readonly returnDirect?: true;
}

const marker = Symbol.for('toolmend.result');

/** A result with more to it than a value: `ToolResult.of(rows).text('3 rows').artifact(table)`. Each step is a new one. */
export class ToolResult {
  readonly parts: ResultParts;

  private constructor(parts: ResultParts) {
    this.parts = Object.freeze(parts);
    Object.defineProperty(this, marker, { value: true });
  }

  /** A value as a tool would return it; a result is taken as it is. Without one there is nothing but what follows. */
  static of(value?: unknown): ToolResult {
    return new ToolResult(partsOf(value));
  }

  /** What the model reads instead of the value's JSON; the value goes beside it as structured content. */
  text(text: string): ToolResult {
    return new ToolResult({ ...this.parts, text });
  }

  /** One more image for the model: its bytes, or their base64. Throws a DefinitionError for what no provider would take. */
  image(data: Uint8Array | string, mediaType: string): ToolResult {
    const text = typeof data === 'string' ? data : Buffer.from(data).toString('base64');
    if (!isImage(text, mediaType)) throw noImage(mediaType);
    const image = Object.freeze({ data: text, mediaType });
    return new ToolResult({ ...this.parts, images: Object.freeze([...this.parts.images, image]) });
  }

  /** Something for the application alone: no model sees it. */
  artifact(artifact: unknown): ToolResult {
    return new ToolResult({ ...this.parts, artifact });
  }

  /** The result is for the user as it is: the model need not speak of it. */
  returnDirect(): ToolResult {
    return new ToolResult({ ...this.parts, returnDirect: true });
  }
}

/** Whether a provider can read it: one that can't may refuse the whole conversation. `data`: base64. */
export const isImage = (data: unknown, mediaType: unknown): boolean =>
  typeof data === 'string' &&
  typeof mediaType === 'string' &&
  /^[A-Za-z0-9+/]+={0,2}$/.test(data) &&
  /^image\/[\w.+-]+$/.test(mediaType);

const noImage = (mediaType: unknown): DefinitionError =>
  new DefinitionError([
    {
      where: 'ToolResult.image',
      what: `was given what is no image (${String(mediaType).slice(0, 64)})`,
      instead: "write image(bytes, 'image/png'), with bytes or their base64",
    },
  ]);

/** The parts of what a tool returned, by any installed copy of toolmend. */
export const partsOf = (returned: unknown): ResultParts =>
  isToolResult(returned) ? returned.parts : { value: returned, images: [] };

const isToolResult = (returned: unknown): returned is ToolResult =>
  typeof returned === 'object' && returned !== null && hasMarker(returned);

/** Never throws, whatever a returned value does when it is looked at. */
function hasMarker(returned: object): boolean {
  try {
    return Object.hasOwn(returned, marker);
  } catch {
    return false;
  }
}

// Text as it is, everything else as JSON.
/** A result as a provider can take it; well-formed Unicode in any case. */
export interface ResultContent {
  readonly text: string;
  /** A plain copy of a result that was no text; the same data as `text`, unless the tool wrote its own text. */
  readonly structured?: JsonValue;
  readonly images?: readonly ResultImage[];
}

const nothingReturned = 'Done. There is no output.';

/** The content of what a tool returned; throws for what has no JSON form. */
export function resultContent({ value, text, images }: ResultParts): ResultContent {
  const shown = images.length === 0 ? {} : { images };
  const own = text?.toWellFormed();
  if (value === undefined) return { text: own ?? (images.length === 0 ? nothingReturned : ''), ...shown };
  if (typeof value === 'string') return { text: own ?? value.toWellFormed(), ...shown };
  const written = writeJson(value);
  return { text: own ?? written.text, structured: written.value, ...shown };
}

// Its text, but no value that its schema calls secret.
const mask = '(secret)';

/** undefined where nobody knows what in it is secret: a part of a text, or no object at all. */
export function resultWithoutSecrets(
  contract: ToolContract,
  { text, structured }: ResultContent,
): string | undefined {
  const views = outputValidatorOf(contract)?.views;
  if (views === undefined || !holdsSecret(views, views.root)) return text;
  return structured === undefined ? undefined : JSON.stringify(redact(views, structured, { word: mask }));
}
