import {
  defineRule,
  DefinitionError,
  defineTool,
  interpret,
  interpretArguments,
  type OwnRule,
  type RepairLevel,
  type RuleChoice,
  type ToolContract,
  ToolRegistry,
} from 'toolmend';
import { ruleTable } from '../../src/repair/rule-table.ts';
import { textRuleTable } from '../../src/repair/text-rule-table.ts';
import { ruleChoiceKinds } from '../../src/tool/rule-choice.ts';
import { closedOf, objectOf, texts, whole } from '../schemas.ts';
import { thrower } from '../tools.ts';

const span = objectOf({ from: whole, to: whole }, ['from', 'to']);
const inputSchema = closedOf({ tags: texts, count: whole, span });

const toolWith = (options: {
  readonly rules?: RuleChoice;
  readonly repair?: RepairLevel;
  readonly ownRules?: readonly OwnRule[];
  readonly effects?: 'destructive';
}): ToolContract =>
  defineTool({ name: 'tag', description: 'Tags.', inputSchema, execute: (values) => values, ...options });

const repairsOf = (tool: ToolContract, text: string): readonly string[] | string => {
  const { status, repairs } = interpret(tool, { arguments: text });
  return status === 'rejected' ? status : repairs.map(({ rule }) => rule);
};

test('RuleChoice has the ids of all rules', () => {
  const ids = [...ruleTable, ...textRuleTable].map(({ id }) => id);
  expect(Object.keys(ruleChoiceKinds).toSorted()).toEqual(ids.toSorted());
});

describe('a rule that is off', () => {
  test.each<[keyof RuleChoice, string]>([
    ['wrap_in_array', '{"tags":"a"}'],
    ['rename_key', '{"Tags":["a"]}'],
    ['unwrap_envelope', '{"arguments":{"tags":["a"]}}'],
    ['loose_json', "{'tags':['a']}"],
  ])('%s rejects what it would repair', (rule, text) => {
    expect(repairsOf(toolWith({}), text)).toEqual([rule]);
    expect(repairsOf(toolWith({ rules: { [rule]: true } }), text)).toEqual([rule]);
    expect(repairsOf(toolWith({ rules: { [rule]: false } }), text)).toBe('rejected');
  });

  test.each<[string, keyof RuleChoice, object]>([
    ['another branch of a union', 'text_to_integer', { ids: '5' }],
    ['a key that an open object keeps as it was sent', 'unwrap_single', { Label: ['a'] }],
  ])('does not make another value right, by %s', (_way, rule, sent) => {
    const schema = objectOf({ ids: { ...texts, type: ['integer', 'array'] }, label: { enum: ['a', 'b'] } });
    const statusOf = (rules: RuleChoice, value: object): string =>
      interpretArguments(schema, { value }, { tool: { rules } }).status;
    expect(statusOf({ [rule]: false }, sent)).toBe('rejected');
    expect(statusOf({ [rule]: false }, { ids: 5, label: 'a', Other: ['a'] })).toBe('unchanged');
    expect(statusOf({ [rule]: false }, { Label: 'a' })).toBe('repaired');
  });

  test('leaves valid calls and other rules alone', () => {
    const tool = toolWith({ rules: { wrap_in_array: false } });
    expect(repairsOf(tool, '{"tags":["a"]}')).toEqual([]);
    expect(repairsOf(tool, '{"tags":"[\\"a\\"]","count":"3"}')).toEqual([
      'json_text_to_array',
      'text_to_integer',
    ]);
  });

  test('is off for all tools of a registry', async () => {
    const tools = new ToolRegistry({ rules: { text_to_integer: false } }).register(
      toolWith({ rules: { wrap_in_array: false } }),
    );
    const call = (text: string) => tools.call({ id: 'a', name: 'tag', arguments: text });

    await expect(call('{"count":"3"}')).resolves.toMatchObject({ status: 'invalid_arguments' });
    await expect(call('{"tags":"a"}')).resolves.toMatchObject({ status: 'invalid_arguments' });
    await expect(call('{"tags":"[\\"a\\"]"}')).resolves.toMatchObject({ status: 'completed' });
  });

  test('that is misspelt is a DefinitionError', () => {
    expect(() => Reflect.apply(toolWith, undefined, [{ rules: { wrap_in_aray: false } }])).toThrow(
      'tag has no option "rules.wrap_in_aray": write wrap_in_array.',
    );
  });
});

describe('repair', () => {
  test.each(['{"count":"3"}', "{'count':3}", '{"arguments":{"count":3}}', '{"count":3,"count":3}'])(
    'off rejects %s',
    (text) => {
      expect(repairsOf(toolWith({}), text)).not.toBe('rejected');
      expect(repairsOf(toolWith({ repair: 'off' }), text)).toBe('rejected');
    },
  );

  test('off accepts a valid call, and says everything that is wrong with another one', () => {
    expect(repairsOf(toolWith({ repair: 'off' }), '{"count":3}')).toEqual([]);
    expect(
      interpret(toolWith({ repair: 'off' }), { arguments: '{"count":"3","tags":"a"}' }).issues,
    ).toMatchObject([
      { path: '/tags', keyword: 'type' },
      { path: '/count', keyword: 'type' },
    ]);
  });

  test('of the registry and of the tool: the stricter one wins', async () => {
    const statusOf = async (registry: RepairLevel, tool: RepairLevel): Promise<string> => {
      const tools = new ToolRegistry({ repair: registry }).register(toolWith({ repair: tool }));
      return (await tools.call({ id: 'a', name: 'tag', arguments: '{"count":"3"}' })).status;
    };

    await expect(statusOf('all', 'off')).resolves.toBe('invalid_arguments');
    await expect(statusOf('off', 'all')).resolves.toBe('invalid_arguments');
    await expect(statusOf('lossless', 'all')).resolves.toBe('completed');
  });
});

describe("a rule of one's own", () => {
  const textToSpan = defineRule({
    id: 'text_to_span',
    answers: 'type',
    sent: ['string'],
    declared: ['object'],
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
    const text = '{"span":"3-5"}';
    expect(repairsOf(toolWith({ ownRules: [textToSpan], effects: 'destructive' }), text)).toEqual([
      'text_to_span',
    ]);
    expect(repairsOf(toolWith({ ownRules: [lossy], effects: 'destructive' }), text)).toBe('rejected');
  });

  test('acts through a registry and interpretArguments', async () => {
    const tools = new ToolRegistry({ ownRules: [textToSpan] }).register(toolWith({}));
    await expect(tools.call({ id: 'a', name: 'tag', arguments: '{"span":"3-5"}' })).resolves.toMatchObject({
      result: { span: { from: 3, to: 5 } },
    });
    const tool = { ownRules: [textToSpan] };
    expect(interpretArguments(inputSchema, { text: '{"span":"3-5"}' }, { tool }).status).toBe('repaired');
  });

  test.each<[string, OwnRule['propose']]>([
    ['proposes what does not pass', () => ({ kind: 'replace', value: { from: 3 } })],
    ['proposes the same always', ({ value }) => ({ kind: 'replace', value: `${JSON.stringify(value)}!` })],
    ['proposes what is not JSON', () => ({ kind: 'replace', value: Object(new Date(0)) })],
    ['throws', thrower(new Error('broken'))],
    ['refuses', () => ({ kind: 'refuse' })],
  ])('that %s leaves the call rejected', (_title, propose) => {
    const rule = defineRule({ id: 'own', answers: 'type', sent: ['string'], propose });
    expect(repairsOf(toolWith({ ownRules: [rule] }), '{"span":"3-5"}')).toBe('rejected');
  });

  test.each(['value', 'schema'] as const)('that changes its %s in place is refused', (part) => {
    const sent = { tags: { first: 'a' } };
    const rule = defineRule({
      id: 'own',
      answers: 'type',
      sent: ['object'],
      propose(failing) {
        Object.assign(Object(failing[part]), { first: 'b', type: 'object' });
        return { kind: 'replace', value: ['b'] };
      },
    });
    const result = interpretArguments(inputSchema, { value: sent }, { tool: { ownRules: [rule] } });
    expect(result.status).toBe('rejected');
    expect(sent).toEqual({ tags: { first: 'a' } });
  });

  test("'s proposal is copied: the rule can't change it afterwards", () => {
    const proposed = { from: 3, to: 5 };
    const rule = defineRule({
      id: 'own',
      answers: 'type',
      sent: ['string'],
      propose: () => ({ kind: 'replace', value: proposed }),
    });
    const result = interpret(toolWith({ ownRules: [rule] }), { arguments: '{"span":"3-5"}' });
    proposed.to = 9;
    expect(result).toMatchObject({ status: 'repaired', value: { span: { from: 3, to: 5 } } });
  });

  test('never sees a valid value', () => {
    const seen: unknown[] = [];
    const rule = defineRule({
      id: 'own',
      answers: 'type',
      propose({ value }) {
        seen.push(value);
        return { kind: 'skip' };
      },
    });
    const tool = toolWith({ ownRules: [rule] });
    interpret(tool, { arguments: '{"tags":["a"],"count":3}' });
    expect(seen).toEqual([]);
    interpret(tool, { arguments: '{"tags":["a"],"count":"3"}' });
    expect(new Set(seen)).toEqual(new Set(['3']));
  });

  test.each<[string, object, string]>([
    ['another rule’s id', { id: 'wrap_in_array' }, 'write an id in snake_case that no rule of toolmend has'],
    ['no propose', { propose: undefined }, 'defineRule has no propose'],
    ['an unknown mismatch', { answers: 'key' }, "write 'type' or 'value'"],
  ])('with %s is a DefinitionError', (_title, wrong, words) => {
    expect(() => Reflect.apply(defineRule, undefined, [{ ...textToSpan, ...wrong }])).toThrow(words);
  });

  test('is a DefinitionError if defineRule did not make it, or if two have one id', () => {
    expect(() => toolWith({ ownRules: [{ ...textToSpan }] })).toThrow('write what defineRule returned');
    expect(() => toolWith({ ownRules: [textToSpan, defineRule(textToSpan)] })).toThrow(DefinitionError);
  });
});

test('onInterpretation receives what interpretArguments returns, and its exceptions are ignored', () => {
  const received: unknown[] = [];
  const onInterpretation = (interpretation: unknown): void => {
    received.push(interpretation);
    throw new Error('ignored');
  };
  const results = ['{"count":"3"}', '{"count":{}}'].map((text) =>
    interpretArguments(inputSchema, { text }, { onInterpretation }),
  );
  expect(received).toEqual(results);
});
