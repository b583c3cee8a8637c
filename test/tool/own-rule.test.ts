import {
  defineRule,
  DefinitionError,
  defineTool,
  interpret,
  interpretArguments,
  type OwnRule,
  type ToolContract,
  ToolRegistry,
} from 'toolmend';
import { closedOf, listOf, objectOf, texts, whole } from '../schemas.ts';
import { thrower } from '../tools.ts';

const span = objectOf({ from: whole, to: whole }, ['from', 'to']);
const inputSchema = closedOf({ tags: texts, count: whole, span });

const toolWith = (options: {
  readonly ownRules?: readonly OwnRule[];
  readonly effects?: 'destructive';
}): ToolContract =>
  defineTool({
    name: 'tag',
    description: 'Tags.',
    inputSchema,
    execute: (values) => values,
    ...options,
  });

const repairsOf = (tool: ToolContract, text: string): readonly string[] | string => {
  const { status, repairs } = interpret(tool, { arguments: text });
  return status === 'rejected' ? status : repairs.map(({ rule }) => rule);
};

describe("a rule of one's own", () => {
  const textToSpan = defineRule({
    id: 'text_to_span',
    answers: 'type',
    sentTypes: ['string'],
    declaredTypes: ['object', 'null'],
    keeps: 'lossless',
    notes: true,
    propose({ value, name }) {
      const [, from, to] = /^(\d+)-(\d+)$/.exec(typeof value === 'string' ? value : '') ?? [];
      return name === 'span' && from !== undefined && to !== undefined
        ? { kind: 'replace', value: { from: Number(from), to: Number(to) } }
        : { kind: 'skip' };
    },
  });

  test('repairs, and its record and note carry its id', () => {
    const result = interpret(toolWith({ ownRules: [textToSpan] }), { arguments: '{"span":"3-5"}' });
    expect(result).toMatchObject({
      status: 'repaired',
      value: { span: { from: 3, to: 5 } },
      repairs: [{ rule: 'text_to_span', path: '/span' }],
      notes: [{ rule: 'text_to_span', text: 'span was repaired (text_to_span).' }],
    });
    expect(repairsOf(toolWith({}), '{"span":"3-5"}')).toBe('rejected');
  });

  test('acts on a destructive tool only if it is lossless', () => {
    const lossy = defineRule({ ...textToSpan, keeps: 'lossy' });
    const other = defineRule({ ...textToSpan, id: 'other', propose: () => ({ kind: 'skip' }) });
    const text = '{"span":"3-5"}';
    expect(repairsOf(toolWith({ ownRules: [textToSpan], effects: 'destructive' }), text)).toEqual([
      'text_to_span',
    ]);
    expect(repairsOf(toolWith({ ownRules: [other, lossy], effects: 'destructive' }), text)).toBe(
      'rejected',
    );
  });

  test('acts through a registry and interpretArguments', async () => {
    const tools = new ToolRegistry({ ownRules: [textToSpan] }).register(toolWith({}));
    await expect(
      tools.call({ id: 'a', name: 'tag', arguments: '{"span":"3-5"}' }),
    ).resolves.toMatchObject({
      result: { span: { from: 3, to: 5 } },
    });
    const tool = { ownRules: [textToSpan] };
    expect(interpretArguments(inputSchema, { text: '{"span":"3-5"}' }, { tool }).status).toBe(
      'repaired',
    );
  });

  test('does not act on a call whose closers may be at other places', () => {
    const tool = toolWith({ ownRules: [textToSpan] });
    for (const tags of ['["a"}', String.raw`"[\"a\"}"`]) {
      expect(repairsOf(tool, `{"tags":${tags},"span":{"from":3,"to":5}}`)).toHaveLength(1);
      expect(repairsOf(tool, `{"tags":${tags},"span":"3-5"}`)).toBe('rejected');
    }
  });

  test('passes on what it was given or has read, digits included, and makes no note unless it says so', () => {
    const toList = defineRule({
      id: 'to_list',
      answers: 'type',
      sentTypes: ['object', 'string'],
      propose({ value, read, accepts, literal }) {
        const page = typeof value === 'string' ? (read(value) ?? null) : value;
        return literal === undefined && accepts({ type: 'object' }, page)
          ? { kind: 'replace', value: [{ page }] }
          : { kind: 'skip' };
      },
    });
    const other = { type: 'string' } as const;
    const pages = listOf(objectOf({ page: objectOf({ id: other }) }));
    for (const rows of [
      '{"id":12345678901234567890}',
      String.raw`"{\"id\":12345678901234567890}"`,
      '"[]"',
    ]) {
      const args = { text: `{"rows":${rows},"other":12345678901234567891}` };
      const result = interpretArguments(objectOf({ rows: pages, other }), args, {
        tool: { ownRules: [toList] },
      });
      const list = rows === '"[]"' ? [] : [{ page: { id: '12345678901234567890' } }];
      expect(result).toMatchObject({
        value: { rows: list, other: '12345678901234567891' },
        notes: [],
      });
    }
  });

  const threeToFive = { kind: 'replace', value: { from: 3, to: 5 } } as const;

  test.each<[string, Partial<OwnRule>]>([
    ['proposes what does not pass', { propose: () => ({ kind: 'replace', value: { from: 3 } }) }],
    [
      'proposes the same always',
      { propose: ({ value }) => ({ kind: 'replace', value: `${JSON.stringify(value)}!` }) },
    ],
    [
      'would have to act twice',
      { propose: ({ value }) => (value === '3-5' ? { kind: 'replace', value: '3' } : threeToFive) },
    ],
    ['is for another type', { declaredTypes: ['array'], propose: () => threeToFive }],
    [
      'proposes what is not JSON',
      { propose: () => ({ kind: 'replace', value: Object(new Date(0)) }) },
    ],
    ['throws', { propose: thrower(new Error('broken')) }],
    ['refuses', { propose: () => ({ kind: 'refuse' }) }],
  ])('that %s leaves the call rejected', (_title, options) => {
    const rule = defineRule({ ...textToSpan, id: 'own', declaredTypes: ['object'], ...options });
    expect(repairsOf(toolWith({ ownRules: [rule] }), '{"span":"3-5"}')).toBe('rejected');
  });

  test.each([
    ['sent', { sent: ['number'] }],
    ['declared', { declared: ['array'] }],
  ] as const)("'s old name %s still says where it acts", (_title, types) => {
    const { id, answers, propose } = textToSpan;
    const oldNames = { id, answers, propose, sent: ['string'], declared: ['object'] } as const;
    const repairs = (rule: typeof oldNames | (typeof oldNames & typeof types)): unknown =>
      repairsOf(toolWith({ ownRules: [defineRule(rule)] }), '{"span":"3-5"}');
    expect(repairs(oldNames)).not.toBe('rejected');
    expect(repairs(Object.assign({}, oldNames, types))).toBe('rejected');
  });

  test.each(['value', 'schema'] as const)('that changes its %s in place is refused', (part) => {
    const args = { tags: { first: 'a' } };
    const rule = defineRule({
      id: 'own',
      answers: 'type',
      sentTypes: ['object'],
      propose(value) {
        Object.assign(Object(value[part]), { first: 'b', type: 'object' });
        return { kind: 'replace', value: ['b'] };
      },
    });
    const result = interpretArguments(inputSchema, { value: args }, { tool: { ownRules: [rule] } });
    expect(result.status).toBe('rejected');
    expect(args).toEqual({ tags: { first: 'a' } });
  });

  test("'s proposal is copied: the rule can't change it afterwards", () => {
    const proposed = { from: 3, to: 5 };
    const rule = defineRule({
      id: 'own',
      answers: 'type',
      sentTypes: ['string'],
      propose: () => ({ kind: 'replace', value: proposed }),
    });
    const result = interpret(toolWith({ ownRules: [rule] }), { arguments: '{"span":"3-5"}' });
    proposed.to = 9;
    expect(result).toMatchObject({ status: 'repaired', value: { span: { from: 3, to: 5 } } });
  });

  test('never sees a valid value', () => {
    const values: unknown[] = [];
    const rule = defineRule({
      id: 'own',
      answers: 'type',
      propose({ value }) {
        values.push(value);
        return { kind: 'skip' };
      },
    });
    const tool = toolWith({ ownRules: [rule] });
    interpret(tool, { arguments: '{"tags":["a"],"count":3}' });
    expect(values).toEqual([]);
    interpret(tool, { arguments: '{"tags":["a"],"count":"3"}' });
    expect(new Set(values)).toEqual(new Set(['3']));
  });

  test.each<[string, object, string]>([
    [
      'another rule’s id',
      { id: 'wrap_in_array' },
      'write an id in snake_case that no rule of toolmend has',
    ],
    ['no propose', { propose: undefined }, 'defineRule has no propose'],
    ['an unknown mismatch', { answers: 'key' }, "write 'type' or 'value'"],
  ])('with %s is a DefinitionError', (_title, fault, words) => {
    expect(() => Reflect.apply(defineRule, undefined, [{ ...textToSpan, ...fault }])).toThrow(
      words,
    );
  });

  test('is a DefinitionError if defineRule did not make it, or if two have one id', () => {
    expect(() => toolWith({ ownRules: [{ ...textToSpan }] })).toThrow(
      'write what defineRule returned',
    );
    expect(() => toolWith({ ownRules: [textToSpan, defineRule(textToSpan)] })).toThrow(
      DefinitionError,
    );
  });
});
