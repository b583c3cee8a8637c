// Messages that come in pieces, as each API sends them.
import type { JsonObject } from 'toolmend';
import { StreamedMessage, wholeBlock } from '../../src/wire/anthropic-messages.ts';
import { mergedMessage, withoutNulls } from '../../src/wire/merged-message.ts';

describe('a message of Anthropic', () => {
  const start = (index: number | undefined, block: JsonObject): JsonObject => ({
    type: 'content_block_start',
    ...(index === undefined ? {} : { index }),
    content_block: block,
  });
  const delta = (index: number | undefined, pieces: JsonObject): JsonObject => ({
    type: 'content_block_delta',
    ...(index === undefined ? {} : { index }),
    delta: pieces,
  });
  const messageOf = (...events: readonly JsonObject[]): JsonObject => {
    const message = new StreamedMessage();
    for (const event of events) message.add(event);
    return message.message;
  };
  const text = (piece: string): JsonObject => ({ type: 'text_delta', text: piece });

  test('has its model, its end, and its blocks by their indexes', () => {
    expect(
      messageOf(
        { type: 'message_start', message: { model: 'claude' } },
        start(1, { type: 'tool_use', id: 't', name: 'f', input: {} }),
        start(0, { type: 'thinking', thinking: 'Hm' }),
        delta(0, { type: 'thinking_delta', thinking: ', yes' }),
        delta(1, { type: 'input_json_delta', partial_json: '{"a"' }),
        delta(1, { type: 'input_json_delta', partial_json: ':1}' }),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
        { type: 'message_delta', delta: {} },
      ),
    ).toEqual({
      model: 'claude',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Hm, yes' },
        { type: 'tool_use', id: 't', name: 'f', input: {}, partial_json: '{"a":1}' },
      ],
    });
  });

  test('does not take text for a block that is no text, nor a piece of a block that never began', () => {
    const block = { type: 'tool_use', id: 't', name: 'f', input: {} };

    const { content } = messageOf(start(0, block), delta(0, text('a')), delta(7, text('b')));
    expect(content).toEqual([block]);
  });

  test('adds pieces without an index to the last block, and citations to a list', () => {
    const blocks = [
      start(undefined, { type: 'text', text: 'a' }),
      start(undefined, { type: 'text', text: 'b' }),
      delta(undefined, text('c')),
      delta(undefined, { type: 'citations_delta', citation: { url: 'u' } }),
    ];

    expect(messageOf(...blocks)).toMatchObject({
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'bc', citations: [{ url: 'u' }] },
      ],
    });
  });

  test('keeps the blocks of two servers’ answers that begin at 0 apart', () => {
    expect(
      messageOf(
        start(0, { type: 'text', text: 'a' }),
        start(0, { type: 'text', text: 'b' }),
        delta(0, text('c')),
      ),
    ).toMatchObject({ content: [{ text: 'a' }, { text: 'bc' }] });
  });

  test.each<readonly [JsonObject, JsonObject]>([
    [
      { type: 'tool_use', input: {}, partial_json: '{"a":1}' },
      { type: 'tool_use', input: { a: 1 } },
    ],
    [
      { type: 'tool_use', input: {}, partial_json: '{"a":' },
      { type: 'tool_use', input: {} },
    ],
    [
      { type: 'tool_use', input: { a: 1 } },
      { type: 'tool_use', input: { a: 1 } },
    ],
  ])('the whole block of %j is %j', (block, whole) => {
    expect(wholeBlock(block)).toEqual(whole);
  });
});

describe('a message of another API', () => {
  test.each<readonly [string, JsonObject, JsonObject, JsonObject]>([
    ['continues text', { content: 'a' }, { content: 'b' }, { content: 'ab' }],
    [
      'repeats names, roles, types and ids',
      { role: 'assistant', name: 'f', type: 'function', id: 'c' },
      { role: 'assistant', name: 'f', type: 'function', id: 'c' },
      { role: 'assistant', name: 'f', type: 'function', id: 'c' },
    ],
    ['leaves an id that comes once more as ""', { id: 'c' }, { id: '' }, { id: 'c' }],
    [
      'replaces null, and is not replaced by it',
      { a: null, b: 'b' },
      { a: 'a', b: null },
      { a: 'a', b: 'b' },
    ],
    [
      'replaces numbers, and adds members to objects',
      { usage: { total: 1, input: 1 } },
      { usage: { total: 2, output: 1 } },
      { usage: { total: 2, input: 1, output: 1 } },
    ],
    [
      'replaces what has another type',
      { a: ['b'], c: { d: 1 }, e: 'f' },
      { a: 'b', c: ['d'], e: { f: 1 } },
      { a: 'b', c: ['d'], e: { f: 1 } },
    ],
    [
      'repeats formats and signatures',
      { format: 'f', signature: 's', thought_signature: 't' },
      { format: 'f', signature: 's', thought_signature: 't' },
      { format: 'f', signature: 's', thought_signature: 't' },
    ],
    [
      'adds a part with another index, and one behind what is no object',
      { parts: [{ index: 0, text: 'a' }], tags: ['a'] },
      { parts: [{ index: 1, text: 'b' }], tags: [{ text: 'b' }] },
      {
        parts: [
          { index: 0, text: 'a' },
          { index: 1, text: 'b' },
        ],
        tags: ['a', { text: 'b' }],
      },
    ],
    [
      'merges a part without a type into one with a type, and the other way round',
      {
        parts: [
          { index: 0, type: 'text', text: 'a' },
          { index: 1, text: 'b' },
        ],
      },
      {
        parts: [
          { index: 0, type: '', text: 'c' },
          { index: 1, type: 'text', text: 'd' },
        ],
      },
      {
        parts: [
          { index: 0, type: 'text', text: 'ac' },
          { index: 1, type: 'text', text: 'bd' },
        ],
      },
    ],
    [
      'continues a summary',
      { parts: [{ summary: 'a' }] },
      { parts: [{ summary: 'b' }] },
      { parts: [{ summary: 'ab' }] },
    ],
    [
      'merges the parts with one index',
      {
        parts: [
          { index: 0, text: 'a' },
          { index: 1, text: 'b' },
        ],
      },
      { parts: [{ index: 0, text: 'c' }] },
      {
        parts: [
          { index: 0, text: 'ac' },
          { index: 1, text: 'b' },
        ],
      },
    ],
    [
      'keeps parts of one index and two types apart',
      { parts: [{ index: 0, type: 'text', text: 'a' }] },
      { parts: [{ index: 0, type: 'summary', summary: 'b' }] },
      {
        parts: [
          { index: 0, type: 'text', text: 'a' },
          { index: 0, type: 'summary', summary: 'b' },
        ],
      },
    ],
    [
      'takes encrypted reasoning whole',
      { parts: [{ index: 0, data: 'a' }] },
      { parts: [{ index: 0, data: 'b' }] },
      {
        parts: [
          { index: 0, data: 'a' },
          { index: 0, data: 'b' },
        ],
      },
    ],
    [
      'continues the last of the texts without an index',
      { parts: [{ text: 'a' }, { url: 'u' }, { text: 'b' }] },
      { parts: [{ text: 'c' }] },
      { parts: [{ text: 'a' }, { url: 'u' }, { text: 'bc' }] },
    ],
    [
      'adds a text behind what is no text',
      { parts: [{ text: 'a' }, { url: 'u' }] },
      { parts: [{ text: 'c' }] },
      { parts: [{ text: 'a' }, { url: 'u' }, { text: 'c' }] },
    ],
    ['adds what is no object', { tags: ['a'] }, { tags: ['b'] }, { tags: ['a', 'b'] }],
  ])('%s', (_what, whole, part, merged) => {
    expect(mergedMessage(whole, part)).toEqual(merged);
  });

  test('loses its members that are null', () => {
    expect(withoutNulls({ content: null, refusal: '', index: 0 })).toEqual({
      refusal: '',
      index: 0,
    });
  });
});
