// What is the output of a tool in the SDK, and what does a model read of it? All that the model reads is in the output itself:
// it comes back from a browser as JSON.
import type { Tool } from 'ai';
import { resultContent } from '../../execute/results/result-content.ts';
import type { ResultImage } from '../../execute/results/tool-result.ts';
import { toolMessage } from '../../execute/tool-message.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
import { readPlainValue } from '../../json/plain-value.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import type { JsonValue } from '../../json/json-value.ts';

/** `output` of a tool result; plain JSON. */
export interface AiSdkOutput {
  /** What the model reads. */
  readonly text: string;
  /** The result as data, where it was no text. */
  readonly structured?: JsonValue;
  /** Base64, for a model that sees. */
  readonly images?: readonly ResultImage[];
  /** What the model reads beside the text: what was done to its arguments. */
  readonly notes: readonly string[];
}

export function outputOf(outcome: ToolOutcome): AiSdkOutput {
  const { isError: _, ...output } = toolMessage(outcome);
  return output;
}

/** Of what a tool reports while it runs. */
export function preliminaryOutput(update: unknown): AiSdkOutput {
  try {
    return { ...resultContent({ value: update, images: [] }), notes: [] };
  } catch {
    return { text: String(update), notes: [] };
  }
}

export const outputSchemaOf = (structured: SchemaObject | undefined): SchemaObject => ({
  type: 'object',
  properties: {
    text: { type: 'string' },
    structured: structured ?? {},
    images: {
      type: 'array',
      items: {
        type: 'object',
        properties: { data: { type: 'string' }, mediaType: { type: 'string' } },
        required: ['data', 'mediaType'],
      },
    },
    notes: { type: 'array', items: { type: 'string' } },
  },
  required: ['text', 'notes'],
});

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;

/**
 * Text alone as text; notes and images as parts of their own. What comes out of a store or a browser may be the output that
 * a tool of this name had before: then it is as the SDK has it without us.
 */
export function modelOutput(output: unknown): ModelOutput {
  if (!isOutput(output)) return typeof output === 'string' ? asText(output) : asJson(output);
  const { text, images = [], notes } = output;
  if (images.length === 0 && notes.length === 0) return asText(text);
  const textPart = (said: string) => ({ type: 'text' as const, text: said });
  const shown = images.map(({ data, mediaType }) => ({
    type: 'file' as const,
    mediaType,
    data: { type: 'data' as const, data },
  }));
  return { type: 'content', value: [textPart(text), ...shown, ...notes.map(textPart)] };
}

const asText = (value: string): ModelOutput => ({ type: 'text', value });

function asJson(output: unknown): ModelOutput {
  const reading = readPlainValue(output ?? null, deepest);
  return reading.kind === 'plain' ? { type: 'json', value: reading.value } : asText(String(output));
}

const deepest = 256;

const isOutput = (value: unknown): value is AiSdkOutput =>
  isRecord(value) &&
  typeof value['text'] === 'string' &&
  isListOf(value['notes'], (note) => typeof note === 'string') &&
  (value['images'] === undefined || isListOf(value['images'], isImage));

const isImage = (value: unknown): boolean =>
  isRecord(value) && typeof value['data'] === 'string' && typeof value['mediaType'] === 'string';

const isListOf = (value: unknown, isOne: (element: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
