// Anthropic's Messages API: https://docs.anthropic.com/en/api/messages
import { ownValue } from '../collections/objects.ts';
import { objectAt, textAt } from '../json/members.ts';
import { parseJson } from '../json/parse.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { BlockNumbers } from './block-numbers.ts';
import { mergedMessage } from './merged-message.ts';
import {
  type CallForm,
  type TextPlaces,
  type WireApi,
  each,
  objectsAt,
  valueAtPath,
} from './wire-api.ts';

const isToolUse = (block: JsonObject): boolean => textAt(block, 'type') === 'tool_use';

export const toolUse: CallForm = {
  isCall: isToolUse,
  // The provider runs the calls of its own tools itself, and goes on.
  isCallOrCustom: isToolUse,
  id: ['id'],
  takesNewIds: true,
  name: ['name'],
  arguments: ['input'],
  argumentsAs: 'value',
  fixedMembers: { type: 'tool_use' },
};

export const anthropicMessages: WireApi<TextPlaces> = {
  answer: {
    model: ['model'],
    choices: [],
    finishReason: ['stop_reason'],
    calls: [{ at: ['content', each], form: toolUse }],
    text: ['content', each, 'text'],
    reasoning: [['content', each, 'thinking']],
  },
  event: {
    model: ['message', 'model'],
    choices: [],
    finishReason: ['delta', 'stop_reason'],
    calls: [{ at: ['content_block'], form: toolUse }],
    text: ['delta', 'text'],
    reasoning: [['delta', 'thinking']],
  },
  history: [{ at: ['messages', each, 'content', each], form: toolUse }],
  tools: [
    {
      at: ['tools', each],
      schema: 'input_schema',
      withoutSchema: 'of_provider',
      takesStrict: true,
    },
  ],
};

/** The result of a call, in a message of the user. */
export interface ToolResult<Content> {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: Content;
  readonly is_error?: true;
}

export const toolResult = <Content>(
  id: string,
  isError: boolean,
  content: Content | undefined,
): ToolResult<Content> => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(content === undefined ? {} : { content }),
  ...(isError ? { is_error: true } : {}),
});

/** Whether a block is text of whitespace alone, which the API refuses. */
export const isBlankText = (block: JsonObject): boolean =>
  textAt(block, 'type') === 'text' && (textAt(block, 'text') ?? '').trim() === '';

/** A message that comes in events, or whole. */
export class StreamedMessage {
  readonly #blocks = new Map<number, JsonObject>();
  readonly #numbers = new BlockNumbers();
  #model: JsonValue = '';
  #stopReason: JsonValue = null;

  /** Returns the numbers of the blocks that the event begins or continues. */
  add(event: JsonObject): readonly number[] {
    const index = ownValue(event, 'index');
    switch (textAt(event, 'type')) {
      case 'message_start':
        this.#model = valueAtPath(event, anthropicMessages.event.model) ?? '';
        return [];
      case 'content_block_start':
        return objectsAt(event, ['content_block']).map((block) => this.#begin(index, block));
      case 'content_block_delta': {
        const number = this.#numbers.find(index);
        const block = number === undefined ? undefined : this.#blocks.get(number);
        if (number !== undefined && block !== undefined)
          this.#blocks.set(number, withDelta(block, objectAt(event, 'delta') ?? {}));
        return number === undefined ? [] : [number];
      }
      case 'message_delta':
        this.#stopReason =
          valueAtPath(event, anthropicMessages.event.finishReason) ?? this.#stopReason;
        return [];
      default:
        return objectsAt(event, ['content', each]).map((block) => this.#begin(undefined, block));
    }
  }

  #begin(index: unknown, block: JsonObject): number {
    const number = this.#numbers.begin(index);
    this.#blocks.set(number, block);
    return number;
  }

  /** Undefined if no such block has begun. `number`: as `add` returned it. */
  block(number: number): JsonObject | undefined {
    return this.#blocks.get(number);
  }

  /** How many blocks that pass stand before one. */
  countBefore(number: number, passes: (block: JsonObject) => boolean): number {
    let count = 0;
    for (const [other, block] of this.#blocks) if (other < number && passes(block)) count += 1;
    return count;
  }

  /** The blocks in their order. `inputText` reads an input that came in pieces. */
  get blocks(): readonly JsonObject[] {
    return [...this.#blocks].toSorted(([one], [other]) => one - other).map(([, block]) => block);
  }

  /** The message as the API sends it whole. */
  get message(): JsonObject {
    return { model: this.#model, stop_reason: this.#stopReason, content: this.blocks };
  }
}

/** The JSON text of an input that came in pieces. undefined: the input came as a value. */
export function inputText(block: JsonObject): string | undefined {
  const text = textAt(block, 'partial_json');
  return text === '' ? undefined : text;
}

/** The block as the API sends it whole, if the text of its input is JSON. */
export function wholeBlock(block: JsonObject): JsonObject {
  const { partial_json: text, ...whole } = block;
  const input = typeof text === 'string' ? parseJson(text) : undefined;
  return input?.kind === 'read' ? { ...whole, input: input.value } : whole;
}

/** A block after a delta. Text and thoughts are added only to a block of their type. */
function withDelta(block: JsonObject, delta: JsonObject): JsonObject {
  const { type: _type, citation, ...pieces } = delta;
  if (citation !== undefined) return mergedMessage(block, { citations: [citation] });
  const isOfOtherType = ['text', 'thinking'].some(
    (type) => Object.hasOwn(pieces, type) && textAt(block, 'type') !== type,
  );
  return isOfOtherType ? block : mergedMessage(block, pieces);
}
