// The time that --calls-in-text takes grows with the text, not with its square.
import { chatCompletions } from '../../src/gateway/chat-completions.ts';
import { FrameReader } from '../../src/gateway/frames.ts';
import { StreamedTextCalls } from '../../src/gateway/text-calls.ts';
import { costOf } from '../cost.ts';

const eventOf = (delta: object, finish_reason: string | null): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** A stream of the text in tokens of four characters. */
const streamOf = (text: string): Buffer =>
  Buffer.from(
    text.replace(/[^]{1,4}/g, (content) => eventOf({ content }, null)) + eventOf({}, 'stop'),
  );

function passed(stream: Buffer): string {
  const calls = new StreamedTextCalls(chatCompletions.text, 'sse', {
    tools: [{ name: 'note', contract: undefined }],
    callsInText: 'all',
    accepts: () => true,
    onFound: () => undefined,
    onLeft: () => undefined,
  });
  const frames = new FrameReader('sse').add(stream).flatMap((frame) => calls.add(frame));
  return Buffer.concat([...frames, ...calls.end()].map(({ bytes }) => bytes)).toString();
}

const kilobytes = 1_024;
const one = '<tool_call>{"name":"note","arguments":{"text":"a"}}</tool_call>\n';

test.each<[string, (length: number) => string]>([
  [
    'one call',
    (length) =>
      `<tool_call>{"name":"note","arguments":{"text":"${'a word } more '.repeat(length / 14)}"}}</tool_call>`,
  ],
  ['many calls', (length) => one.repeat(length / one.length)],
])('%s: 100 KB take less than nine times as long as 25 KB', (_title, textOf) => {
  const [short, long] = [25, 100].map((size) => streamOf(textOf(size * kilobytes)));
  if (short === undefined || long === undefined) throw new Error('there are no streams');
  passed(short);
  const cost = Math.max(costOf(() => passed(short)).cost, 0.001);

  expect(costOf(() => passed(long)).cost / cost).toBeLessThan(9);
});
