// The calls of each family, as its chat template writes them, whole and in parts.
import { CallReader, interpretArguments, readCalls } from 'toolmend';
import { valueOf } from '../read.ts';
import { chatTemplates } from './chat-templates.ts';

const name = 'get_sky';
const text = { type: 'string' } as const;
const inputSchema = {
  type: 'object',
  properties: {
    city: text,
    days: { type: 'integer' },
    alerts: { type: 'boolean' },
    tags: { type: 'array', items: text },
    filter: { type: 'object', properties: { max: { type: 'number' } } },
  },
  required: ['city'],
} as const;
const sent = { city: 'Ulm, "FR"', days: 3, alerts: true, tags: ['a', 'b'], filter: { max: 1.5 } };
const tools = [{ name, inputSchema }];

const argumentsOf = (calls: readonly { readonly arguments: string }[]): readonly unknown[] =>
  calls.map((call) =>
    valueOf(interpretArguments(inputSchema, { text: call.arguments }, { tool: name })),
  );

describe.each(chatTemplates.map((template) => [template.models, template] as const))(
  '%s',
  (_models, template) => {
    const pieces = template.write({ name, arguments: sent }) ?? [];
    const written = pieces.map((piece) => piece.text).join('');

    test('the call is read after a sentence, whole and in parts', () => {
      const answer = `I look.\n\n${written}`;
      const { calls, text: rest } = readCalls(answer, tools);
      expect(argumentsOf(calls)).toStrictEqual([sent]);
      expect(rest).toBe('I look.\n\n');
      const reader = new CallReader(tools);
      const parts = [...(answer.match(/[^]{1,7}/g) ?? [])].map((part) => reader.add(part));
      const inParts = [...parts, reader.end()].flatMap((part) => part.calls);
      expect(argumentsOf(inParts)).toStrictEqual([sent]);
    });

    test('a call in place of the arguments is read, and one of another tool refused', () => {
      const interpret = (sentText: string) =>
        interpretArguments(inputSchema, { text: sentText }, { tool: name, finishReason: 'stop' });
      expect(valueOf(interpret(written))).toStrictEqual(sent);
      expect(interpret(written.replaceAll(name, 'set_sky')).status).toBe('rejected');
    });

    test('a call that is cut acts only as the whole one', () => {
      for (let end = 0; end < written.length; end += 1)
        for (const value of argumentsOf(readCalls(written.slice(0, end), tools).calls))
          expect([end, value]).toStrictEqual([end, sent]);
    });
  },
);

// Without markup of its own, only the last block of an answer is a call.
test.each(
  chatTemplates.filter(({ isBare }) => isBare !== true).map((one) => [one.models, one] as const),
)('%s: two calls are two', (_models, template) => {
  const written = (template.write({ name, arguments: sent }) ?? []).map((one) => one.text).join('');
  const { calls } = readCalls(`${written}\n${written}`, tools);
  expect(argumentsOf(calls)).toStrictEqual([sent, sent]);
});
