// The tests of one notation: the text of its chat template, written and read, and what is refused.
import { CallReader, type CallsInText, interpretArguments, readCalls } from 'toolmend';
import { writeCall } from 'toolmend/testing';
import { valueOf } from '../read.ts';

interface TitledText {
  readonly title: string;
  readonly text: string;
}

interface TextOfCall extends TitledText {
  /** The arguments of the call. Default: `{ city: 'Ulm' }`. */
  readonly becomes?: unknown;
}

export interface NotationCases {
  /** The text that the family's chat template makes of `sampleCall`. */
  readonly template: string;
  /** Other texts that are a call of `get_sky`. */
  readonly read: readonly TextOfCall[];
  /** Texts in the notation that are not one call of `get_sky`. */
  readonly refused: readonly TitledText[];
  /** Calls that the notation can't express. */
  readonly notExpressed: readonly Readonly<Record<string, string>>[];
}

const sampleCall = {
  name: 'get_sky',
  arguments: { city: 'Ulm, "FR"', days: 3, alerts: true, tags: ['a', 'b'], filter: { max: 1.5 } },
};

const text = { type: 'string' } as const;

const schema = {
  type: 'object',
  properties: {
    city: text,
    days: { type: 'integer' },
    alerts: { type: 'boolean' },
    tags: { type: 'array', items: text },
    filter: { type: 'object', properties: { max: { type: 'number' } } },
    note: text,
  },
  required: ['city'],
} as const;

const interpret = (sent: string, finishReason?: string) =>
  interpretArguments(
    schema,
    { text: sent },
    { tool: 'get_sky', ...(finishReason === undefined ? {} : { finishReason }) },
  );

const withoutIds = (parts: readonly CallsInText[]) => ({
  calls: parts.flatMap(({ calls }) => calls.map(({ id: _id, ...call }) => call)),
  text: parts.map((part) => part.text).join(''),
});

export function testNotation(id: string, cases: NotationCases): void {
  const { template, read, refused, notExpressed } = cases;

  test('is written as the chat template writes it', () => {
    expect(writeCall(id, sampleCall)).toBe(template);
  });

  const all: NotationCases['read'] = [
    { title: 'the text of the template', text: template, becomes: sampleCall.arguments },
    ...read,
  ];
  for (const { title, text: sent, becomes = { city: 'Ulm' } } of all) {
    test(`reads ${title}`, () => {
      const result = interpret(sent);
      expect(result).toMatchObject({ status: 'repaired', issues: [] });
      expect(valueOf(result)).toStrictEqual(becomes);
      // The notation takes nothing but the call's own words for its arguments.
      expect(result.repairs.map(({ rule }) => rule)).toContain('call_notation');
      expect(
        result.repairs.filter(({ rule }) =>
          /^(?:surrounding_text|repeated_object|readings)$/.test(rule),
        ),
      ).toEqual([]);
    });
  }

  test.each(all.map((row) => ({ ...row, text: row.text.replaceAll('Ulm', 'Ulm'.repeat(90)) })))(
    'reads $title from a stream as at once',
    ({ text: sent }) => {
      const found = withoutIds([readCalls(sent, ['get_sky'])]);
      const run = [sent.indexOf('UlmUlm') + 5, sent.lastIndexOf('UlmUlm')] as const;
      for (let end = 1; end < sent.length; end += end > run[0] && end < run[1] - 50 ? 50 : 1) {
        const reader = new CallReader(['get_sky']);
        const parts = [reader.add(sent.slice(0, end)), reader.add(sent.slice(end)), reader.end()];
        expect(withoutIds(parts)).toEqual(found);
      }
    },
  );

  test.each([
    { title: 'two calls', text: `${template}\n${template}` },
    { title: 'another tool', text: template.replaceAll('get_sky', 'set_sky') },
    ...refused,
  ])('refuses $title', ({ text: sent }) => {
    expect(interpret(sent)).toMatchObject({ status: 'rejected', repairs: [] });
  });

  test('a cut text is refused, or means the same', () => {
    for (let end = 0; end < template.length; end += 1) {
      const result = interpret(template.slice(0, end));
      if (result.status === 'repaired') expect(result.value).toStrictEqual(sampleCall.arguments);
      else expect(result.status).toBe('rejected');
      expect(interpret(template.slice(0, end), 'length').status).toBe('rejected');
    }
  });

  test('says which calls it can’t express', () => {
    const written = notExpressed.map((sent) => writeCall(id, { name: 'get_sky', arguments: sent }));
    expect(written).toEqual(notExpressed.map(() => undefined));
  });
}
