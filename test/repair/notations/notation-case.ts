// The tests of one notation: the text of its chat template, written and read, and what is refused.
import { interpretArguments } from 'toolmend';
import { writeCall } from 'toolmend/testing';
import { valueOf } from '../../read.ts';

export interface NotationCases {
  /** The text that the family's chat template makes of `sampleCall`. */
  readonly template: string;
  /** Other texts that are a call of `get_sky`, and its arguments if they aren't Ulm alone. */
  readonly read: readonly (readonly [title: string, text: string, value?: unknown])[];
  /** Texts in the notation that are not one call of `get_sky`. */
  readonly refused: readonly (readonly [title: string, text: string])[];
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

export function testNotation(id: string, cases: NotationCases): void {
  const { template, read, refused, notExpressed } = cases;

  test('is written as the chat template writes it', () => {
    expect(writeCall(id, sampleCall)).toBe(template);
  });

  const all: NotationCases['read'] = [['the text of the template', template, sampleCall.arguments], ...read];
  for (const [title, sent, value = { city: 'Ulm' }] of all) {
    test(`reads ${title}`, () => {
      const result = interpret(sent);
      expect(result).toMatchObject({ status: 'repaired', issues: [] });
      expect(valueOf(result)).toStrictEqual(value);
    });
  }

  test.each([
    ['two calls', `${template}\n${template}`] as const,
    ['another tool', template.replaceAll('get_sky', 'set_sky')] as const,
    ...refused,
  ])('refuses %s', (_title, sent) => {
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
