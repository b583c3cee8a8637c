// What can be shown of arguments while they come.
import {
  DefinitionError,
  type PartialCall,
  partialArguments,
  ToolCallCollector,
  ToolRegistry,
} from 'toolmend';
import { MessageCollector } from 'toolmend/anthropic';
import { ChatCollector, ResponseCollector } from 'toolmend/openai';
import { sent } from '../adapters/wires.ts';
import { toolOf } from '../tools.ts';
import { fc } from '../seeded-fast-check.ts';

test.each([
  ['', {}],
  ['  ', {}],
  ['{', {}],
  ['{"', {}],
  ['{"pa', {}],
  ['{"path"', {}],
  ['{"path":', {}],
  ['{"path":"', { path: '' }],
  ['{"path":"a.t', { path: 'a.t' }],
  ['{"path":"a.txt"', { path: 'a.txt' }],
  ['{"path":"a.txt","lim', { path: 'a.txt' }],
  ['{"path":"a.txt","limit":12', { path: 'a.txt' }],
  ['{"path":"a.txt","limit":12,', { path: 'a.txt', limit: 12 }],
  ['{"all":tru', {}],
  ['{"all":true}', { all: true }],
  ['{"tags":["a","b', { tags: ['a', 'b'] }],
  ['{"tags":["a",', { tags: ['a'] }],
  ['{"edits":[{"old":"x","new":"y"},{"old":"', { edits: [{ old: 'x', new: 'y' }, { old: '' }] }],
  [String.raw`{"text":"a\n`, { text: 'a\n' }],
  ['{"text":"a\\', { text: 'a' }],
  [String.raw`{"text":"a\u00`, { text: 'a' }],
  [String.raw`{"text":"a\ud83d`, { text: 'a' }],
  [String.raw`{"text":"a\ud83d\ude00`, { text: 'a😀' }],
  ['{"__proto__":{"a":1}}', JSON.parse('{"__proto__":{"a":1}}')],
  // What is no JSON ends the reading: nothing is guessed.
  ['{"path":"a.txt",limit: 2', { path: 'a.txt' }],
  ["{'path': 'a.txt'", {}],
  ['["a"]', {}],
  ['hello', {}],
])('%s', (text, shown) => {
  expect(partialArguments(text)).toEqual(shown);
});

/** Whether a value is the whole one, as far as it goes. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part);
  if (typeof part !== 'object' || part === null) return Object.is(part, whole);
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && isPartOf(value, Reflect.get(whole, key)),
  );
}

test('each beginning shows a part of the whole, never less than a shorter one, and the whole at the end', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(objects, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const whole: unknown = JSON.parse(text);
      let before: unknown = {};
      for (let at = 0; at <= text.length; at += 1) {
        const shown = partialArguments(text.slice(0, at));
        expect(isPartOf(shown, whole)).toBe(true);
        expect(isPartOf(before, shown)).toBe(true);
        before = shown;
      }
      expect(before).toEqual(whole);
    }),
  );
});

test('a collector shows the call of the last part, or that of an index; none has no arguments', () => {
  const collector = new ToolCallCollector();
  expect(collector.partial()).toBeUndefined();
  collector.add({ index: 0, id: 'a', name: 'read', arguments: '{"path":"a' });
  collector.add({ index: 1, id: 'b', name: 'read', arguments: { path: 'b' } });

  expect(collector.partial()).toEqual({ path: 'b' });
  expect(collector.partial<{ path: string }>(0)?.path).toBe('a');
  expect(collector.partial(2)).toBeUndefined();
});

interface Read {
  readonly path: string;
}
type Shown = readonly [
  index: number | undefined,
  id: string,
  tool: string,
  delta: string,
  ...path: readonly string[],
];

test('a collector tells when a call begins, and of each piece, until the listener is removed', () => {
  const collector = new ToolCallCollector();
  const shown: Shown[] = [];
  collector.onPartial(() => {
    throw new Error('The page is gone.');
  });
  const stop = collector.onPartial<Read>(({ index, callId, tool, delta, partialArguments: read }) =>
    shown.push([index, callId, tool, delta, ...(read.path === undefined ? [] : [read.path])]),
  );
  collector.add({ index: 0, id: 'a' });
  collector.add({ index: 0, name: 'read' });
  collector.add({ index: 0, arguments: '{"path":"a' });
  collector.add({ index: 1, id: 'b', name: 'write', arguments: { path: 'b' } });
  collector.add({ index: 0, arguments: '.ts"}' });
  stop();
  collector.add({ index: 2, id: 'c', name: 'read', arguments: '{}' });

  expect(shown).toEqual([
    [0, 'a', 'read', ''],
    [0, 'a', 'read', '{"path":"a', 'a'],
    [1, 'b', 'write', '{"path":"b"}', 'b'],
    [0, 'a', 'read', '.ts"}', 'a.ts'],
  ]);
});

test('what a listener gets keeps its text, and is no call', async () => {
  const collector = new ToolCallCollector();
  const events: PartialCall<Read>[] = [];
  collector.onPartial<Read>((event) => events.push(event));
  for (const piece of ['{"path":"a', 'b"}'])
    collector.add({ id: 'a', name: 'now', arguments: piece });

  expect(events.map((event) => event.partialArguments.path)).toEqual(['a', 'ab']);
  const now = toolOf(() => 'noon', { name: 'now', inputSchema: { type: 'object' } });
  const tools = new ToolRegistry().register(now);
  await expect(Reflect.apply(tools.call, tools, [events[0]])).rejects.toThrow(DefinitionError);
});

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const graz = '{"city":"Graz"}';

test.each<[name: string, pieces: readonly unknown[], joinedDeltas: string]>([
  ['text', ['{"city":', '"Graz"}'], graz],
  ['an empty object in place of arguments', [{}, '{"city":', '"Graz"}'], graz],
  ['an empty object alone', [{}], ''],
  ['a value', [{ city: 'Graz' }], graz],
  ['bytes', [utf8('{"city":"Gr'), utf8('az"}')], graz],
  ['bytes cut in a character', splitAt(utf8('{"a":"ß😀"}'), 7, 10), '{"a":"ß😀"}'],
])('the deltas of %s are the argument text', (_name, pieces, joinedDeltas) => {
  const collector = new ToolCallCollector();
  const deltas: string[] = [];
  collector.onPartial(({ delta }) => deltas.push(delta));
  for (const piece of pieces) collector.add({ id: 'a', name: 'now', arguments: piece });

  expect(deltas.join('')).toBe(joinedDeltas);
  expect(collector.end()).toHaveLength(1);
});

function splitAt(bytes: Uint8Array, ...places: readonly number[]): Uint8Array[] {
  const ends = [...places, bytes.length];
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
}

test('a listener that comes late gets the text that it missed', () => {
  const collector = new ToolCallCollector();
  collector.add({ index: 0, id: 'a', name: 'read', arguments: '{"pa' });
  const deltas: string[] = [];
  collector.onPartial(({ delta }) => deltas.push(delta));
  for (const piece of ['th":"', 'a"', '}']) collector.add({ index: 0, arguments: piece });

  expect(deltas).toEqual(['{"path":"', 'a"', '}']);
});

test('so do the collectors of OpenAI and Anthropic', () => {
  const shown: Shown[] = [];
  const listen = ({ index, callId, tool, delta }: PartialCall): unknown =>
    shown.push([index, callId, tool, delta]);
  const chat = new ChatCollector();
  chat.onPartial(listen);
  const call = { index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"a' } };
  chat.add(sent({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }));
  const response = new ResponseCollector();
  response.onPartial(listen);
  const item = { type: 'function_call', id: 'i', call_id: 'a', name: 'read', arguments: '' };
  response.add(sent({ type: 'response.output_item.added', output_index: 0, item }));
  const delta = { item_id: 'i', output_index: 0, delta: '{"path":"a' };
  response.add(sent({ type: 'response.function_call_arguments.delta', ...delta }));
  const message = new MessageCollector();
  message.onPartial(listen);
  const block = { type: 'tool_use', id: 'a', name: 'read', input: {} };
  message.add(sent({ type: 'content_block_start', index: 0, content_block: block }));
  expect(message.partial()).toEqual({});
  const piece = { type: 'input_json_delta', partial_json: '{"path":"a' };
  message.add(sent({ type: 'content_block_delta', index: 0, delta: piece }));

  expect(shown).toEqual([
    [0, 'a', 'read', '{"path":"a'],
    ...[response, message].flatMap(() => [
      [0, 'a', 'read', ''],
      [0, 'a', 'read', '{"path":"a'],
    ]),
  ]);
  for (const collector of [chat, response, message])
    expect(collector.partial()).toEqual({ path: 'a' });
});
