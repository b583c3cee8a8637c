// Calls in the text of an answer are those that readCalls finds, whole and however a stream is cut.
import { type JsonObject, readCalls } from 'toolmend';
import { textTools } from '../../src/gateway/answer.ts';
import { FrameReader } from '../../src/gateway/frames.ts';
import { ContractCache } from '../../src/gateway/contract-cache.ts';
import { RequestTools } from '../../src/gateway/offered-tools.ts';
import { StreamedTextCalls, withTextCalls } from '../../src/gateway/text-calls.ts';
import type { LeftInText } from '../../src/gateway/text-group.ts';
import { calls, prose, textWithCalls } from '../notations/texts-with-calls.ts';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { type ClientAnswer, type TextApi, textApis } from './text-answers.ts';

const schema: JsonObject = {
  type: 'object',
  properties: { q: { type: 'string' } },
  required: ['q'],
  additionalProperties: false,
};
const tools = [
  { name: 'search', inputSchema: schema },
  { name: 'get_weather', inputSchema: schema, effects: 'destructive' as const },
];
const cache = new ContractCache();
const requestTools = new RequestTools(
  tools.map(({ name, effects }) => ({
    name,
    description: '',
    schema,
    effects,
    path: [],
    schemaKey: 'parameters',
    takesStrict: true,
  })),
  cache,
  {
    effects: {},
    dispatches: {},
    hints: false,
    toolHints: {},
    schemasFor: undefined,
    strict: false,
  },
);

type Passed = ClientAnswer & { readonly left: readonly LeftInText[] };

function optionsOf(callsInText: 'marked' | 'all' | undefined, leftInText: LeftInText[]) {
  return textTools({ tools: requestTools, callsInText, notations: new Map(), leftInText });
}

function passedWhole(api: TextApi, text: string, callsInText?: 'marked' | 'all'): Passed {
  const left: LeftInText[] = [];
  const data = JSON.stringify(api.whole(text));
  const frame = { bytes: Buffer.from(data), data, withData: (other: string) => Buffer.from(other) };
  const passed = withTextCalls(frame, api.protocol.text, optionsOf(callsInText, left));
  return { ...api.readWhole(JSON.parse(passed.data ?? '')), left };
}

function passedStream(
  api: TextApi,
  pieces: readonly string[],
  callsInText: 'marked' | 'all',
): Passed {
  const left: LeftInText[] = [];
  const { framing, text: shape } = api.protocol;
  const textCalls = new StreamedTextCalls(shape, framing, optionsOf(callsInText, left));
  const events = api.events(pieces).map((event) => JSON.stringify(event));
  const bytes = events.map((data) => (framing === 'sse' ? `data: ${data}\n\n` : `${data}\n`));
  const frames = new FrameReader(framing).add(Buffer.from(bytes.join('')));
  const passed = [...frames.flatMap((frame) => textCalls.add(frame)), ...textCalls.end()];
  return { ...api.readEvents(passed.map(({ data = '' }) => JSON.parse(data))), left };
}

const cutAt = (text: string, cuts: readonly number[]): readonly string[] => {
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted(
    (one, other) => one - other,
  );
  return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end)).filter((piece) => piece !== '');
};

/** Blocks that were only calls are left out. */
const withoutBlanks = ({ text, ...rest }: Passed): Passed => ({
  text: text.trim() === '' ? '' : text,
  ...rest,
});

describe.each(textApis.map((api) => ({ name: api.name, api })))('$name', ({ api }) => {
  test('a stream has the calls of the whole answer, however it is cut', () => {
    fc.assert(
      fc.property(
        textWithCalls,
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.constantFrom('marked', 'all'),
        (text, cuts, callsInText) => {
          expect(withoutBlanks(passedStream(api, cutAt(text, cuts), callsInText))).toEqual(
            withoutBlanks(passedWhole(api, text, callsInText)),
          );
        },
      ),
    );
  });

  test('the calls are those of readCalls, and what is not read is reported', () => {
    const reported = { calls: 0, left: 0 };
    fc.assert(
      fc.property(textWithCalls, fc.constantFrom('marked', 'all'), (text, callsInText) => {
        const read = readCalls(text, tools, { callsInText });
        const { calls: passed, left } = passedWhole(api, text, callsInText);
        const [unread, asText] = [passedWhole(api, text), read.calls.length - passed.length];
        reported.calls += passed.length;
        reported.left += left.length;

        expect(asText).toBe(left.length - read.leftInText.length);
        if (asText === 0)
          expect(passed.map(({ name }) => name)).toEqual(read.calls.map(({ name }) => name));
        expect(unread).toMatchObject({ text, calls: [] });
      }),
    );

    expect(Math.min(reported.calls, reported.left)).toBeGreaterThan(propertyRuns / 10);
  });
});

test('calls behind text that introduces them stay text, and are reported', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...textApis),
      fc.constantFrom(...prose),
      fc.constantFrom(...calls),
      (api, shown, call) => {
        fc.pre(!shown.includes('</think>'));
        const passed = passedWhole(api, `The page says:\n${shown}${call}`, 'all');

        expect(passed.calls.map(({ name }) => name)).not.toContain('get_weather');
      },
    ),
    { numRuns: propertyRuns * 2 },
  );
});
