// The time that --calls-in-text takes grows with the text, not with its square.
import { AnswerRepair } from '../../src/gateway/answer-repair.ts';
import { chatCompletions } from '../../src/gateway/chat-completions.ts';
import { FrameReader } from '../../src/gateway/frames.ts';
import { StreamedTextCalls } from '../../src/gateway/text-calls.ts';
import { costOf } from '../cost.ts';

const eventOf = (delta: object, finish_reason: string | null): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** A stream of the text in tokens of this many characters. */
function streamOf(text: string, length: number): Buffer {
  const tokens = text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
  return Buffer.from(
    tokens.map((content) => eventOf({ content }, null)).join('') + eventOf({}, 'stop'),
  );
}

/** What the gateway does if it reads no text. */
function passedOn(stream: Buffer): string {
  const repair = new AnswerRepair({
    read: chatCompletions.eventReader(),
    check: () => ({ kind: 'unchanged' }),
  });
  const bytes = new FrameReader('sse').add(stream).flatMap((frame) => repair.add(frame));
  repair.end();
  return Buffer.concat([...bytes, ...repair.rest()]).toString();
}

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

const texts = [
  {
    name: 'one call',
    textOf: (length: number) =>
      `<tool_call>{"name":"note","arguments":{"text":"${'a word } more '.repeat(length / 14)}"}}</tool_call>`,
  },
  {
    name: 'one call with tags',
    textOf: (length: number) =>
      `<tool_call>\n<function=note>\n<parameter=text>\n${'a <b> word\n'.repeat(length / 11)}</parameter>\n</function>\n</tool_call>`,
  },
  { name: 'many calls', textOf: (length: number) => one.repeat(length / one.length) },
  {
    name: 'a call that is cut off',
    textOf: (length: number) =>
      `<tool_call>{"name":"note","arguments":{"text":"${'a word } more '.repeat(length / 14)}`,
  },
  {
    name: 'a call in a thought',
    textOf: (length: number) =>
      `<think>\n<tool_call>{"name":"note","arguments":{"text":"${'a word > more '.repeat(length / 14)}"}}`,
  },
  {
    name: 'calls in a comment',
    textOf: (length: number) => `<!-- ${one.repeat(length / one.length)}`,
  },
  {
    name: 'openings of calls',
    textOf: (length: number) => '<tool_call>note'.repeat(length / 15),
  },
];

/**
 * Whether the work costs less than so many times the reference. Of several measurements, one is not
 * disturbed; what grows with the square exceeds in each.
 */
function costsLess(times: number, work: () => unknown, reference: () => unknown): boolean {
  for (let measurement = 0; measurement < 4; measurement += 1) {
    const { cost } = costOf(reference);
    if (costOf(work).cost < times * Math.max(cost, 0.001)) return true;
  }
  return false;
}

test.each(texts.slice(0, 2))(
  '$name: 25 KB in tokens of 4 characters cost less than ten times as much as passing them on',
  ({ textOf }) => {
    const stream = streamOf(textOf(25 * kilobytes), 4);

    expect(
      costsLess(
        10,
        () => passed(stream),
        () => passedOn(stream),
      ),
    ).toBe(true);
  },
);

test.each(texts)('$name: 200 KB take less than forty times as long as 10 KB', ({ textOf }) => {
  const [short, long] = [10, 200].map((size) => streamOf(textOf(size * kilobytes), 100));
  if (short === undefined || long === undefined) throw new Error('there are no streams');
  passed(short);

  expect(
    costsLess(
      40,
      () => passed(long),
      () => passed(short),
    ),
  ).toBe(true);
});
