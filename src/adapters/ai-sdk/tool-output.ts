// What is the output of a tool in the SDK, and what does a model read of it? All that the model reads is in the output itself:
// it comes back from a browser as JSON.
import type { Tool } from 'ai';
import { resultContent } from '../../execute/results/result-content.ts';
import type { ResultImage } from '../../execute/results/tool-result.ts';
import { toolMessage } from '../../execute/tool-message.ts';
import type { ToolOutcome } from '../../execute/tool-outcome.ts';
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

/** Text alone as text; notes and images as parts of their own. */
export function modelOutput({ text, images = [], notes }: AiSdkOutput): ModelOutput {
  if (images.length === 0 && notes.length === 0) return { type: 'text', value: text };
  const textPart = (said: string) => ({ type: 'text' as const, text: said });
  const shown = images.map(({ data, mediaType }) => ({
    type: 'file' as const,
    mediaType,
    data: { type: 'data' as const, data },
  }));
  return { type: 'content', value: [textPart(text), ...shown, ...notes.map(textPart)] };
}
