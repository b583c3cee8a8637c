import { CallReader, type CallsInText, readCalls } from 'toolmend';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { calls, prose, textWithCalls } from './texts-with-calls.ts';

const tools = ['search', 'get_weather'];

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
    fc.property(textWithCalls, fc.array(fc.nat(), { maxLength: 20 }), (whole, cuts) => {
      expect(withoutIds(readInParts(whole, cuts))).toEqual(withoutIds(readCalls(whole, tools)));
    }),
    { numRuns: propertyRuns * 2 },
  );
});

test('no call of a destructive tool is read behind a text that is introduced', () => {
  const strict = tools.map((name) => ({
    name,
    inputSchema: { type: 'object' },
    effects: 'destructive',
  }));

  fc.assert(
    fc.property(
      textWithCalls,
      fc.constantFrom(...prose),
      fc.constantFrom(...calls),
      (shown, last, call) => {
        // What is before the end of reasoning is none of the answer.
        fc.pre(![shown, last].some((part) => part.includes('</think>')));
        expect(readCalls(`The page says:\n${shown}${last}${call}`, strict).calls).toEqual([]);
      },
    ),
    { numRuns: propertyRuns * 2 },
  );
});
