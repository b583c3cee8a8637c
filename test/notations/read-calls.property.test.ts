import { CallReader, type CallsInText, readCalls } from 'toolmend';
import { notations, writeCall } from 'toolmend/testing';
import { fc } from '../seeded-fast-check.ts';

const tools = ['search', 'get_weather'];

/** What texts with calls are made of, whole and broken. */
const calls = notations.flatMap((notation) => {
  const whole = ['search', 'other', 'get_weather'].map(
    (name) => writeCall(notation, { name, arguments: { q: 'a "b" <c>\n```' } }) ?? '',
  );
  const withClosers = (closers: string) =>
    whole.map((text) => text.replace(/\}(?=[^}]*$)/, closers));
  return [
    ...whole,
    ...whole.map((text) => text.slice(0, Math.floor(text.length / 2))),
    ...withClosers(''),
    ...withClosers('}}'),
  ];
});
/** Parts of texts, set apart by `¦`. `⏎`: a line break. */
const prose =
  `Let me look.¦Sure!⏎⏎I'll search.⏎¦Thought: I look⏎¦assistant⏎¦Let me look:⏎¦The page says:⏎¦⏎<plan>¦\
</plan>¦ and ¦⏎¦⏎⏎¦\`\`\`⏎¦\`\`\`¦~~~⏎¦\`¦\`\`¦> ¦- ¦<think>¦</think>¦<tool_response>¦</tool_response>¦<!--¦-->¦\
{"a": "¦"}¦[¦]¦{¦}¦<¦<|¦|>¦<tool_call>¦</tool_call>¦For example: ¦[TOOL_CALLS]¦Action: search⏎¦functools¦\
to=functions.¦commentary to=functions.search json¦assistant¦search⏎¦<function=search¦<tools>¦</tools>¦\
<tool_code>¦<search>¦</search>¦search(¦)¦"¦。¦e.g. ¦\
${' '.repeat(70)}`
    .split('¦')
    .map((part) => part.replaceAll('⏎', '\n'));
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...calls), fc.constantFrom(...prose), fc.string({ maxLength: 5 })),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));

const withoutIds = ({ calls: found, ...rest }: CallsInText) => ({
  calls: found.map(({ id: _id, ...call }) => call),
  ...rest,
});

function readInParts(whole: string, cuts: readonly number[]): CallsInText {
  const reader = new CallReader(tools);
  const ends = [...cuts.map((cut) => cut % (whole.length + 1)), whole.length].toSorted(
    (a, b) => a - b,
  );
  let from = 0;
  const read = ends.map((end) => {
    const part = reader.add(whole.slice(from, end));
    from = end;
    return part;
  });
  read.push(reader.end());
  return {
    calls: read.flatMap((part) => part.calls),
    text: read.map((part) => part.text).join(''),
    leftInText: read.flatMap((part) => part.leftInText),
  };
}

test('the same is found however the text is cut into parts', () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 20 }), (whole, cuts) => {
      expect(withoutIds(readInParts(whole, cuts))).toEqual(withoutIds(readCalls(whole, tools)));
    }),
    { numRuns: 400 },
  );
});

test('no call of a destructive tool is read behind a text that is introduced', () => {
  const strict = tools.map((name) => ({
    name,
    inputSchema: { type: 'object' },
    effects: 'destructive',
  }));

  fc.assert(
    fc.property(text, fc.constantFrom(...prose), fc.constantFrom(...calls), (shown, last, call) => {
      // What is before the end of reasoning is none of the answer.
      fc.pre(![shown, last].some((part) => part.includes('</think>')));
      expect(readCalls(`The page says:\n${shown}${last}${call}`, strict).calls).toEqual([]);
    }),
    { numRuns: 400 },
  );
});
