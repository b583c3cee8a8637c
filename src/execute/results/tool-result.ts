// What can a tool return beside a plain value? Words of its own for the model, images, and what only the application gets.
import { DefinitionError } from '../../errors/definition-error.ts';

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
  readonly returns?: 'to-model' | 'directly';
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
  directly(): ToolResult {
    return new ToolResult({ ...this.parts, returns: 'directly' });
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
