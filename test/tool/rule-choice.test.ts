import {
  type RepairLevel,
  type RuleChoice,
  type ToolContract,
  defineTool,
  interpret,
  interpretArguments,
  ToolRegistry,
} from 'toolmend';
import { ruleTable } from '../../src/repair/rule-table.ts';
import { textRuleTable } from '../../src/text/text-rule-table.ts';
import { ruleIds } from '../../src/tool/rule-choice.ts';
import { closedOf, objectOf, texts, whole } from '../schemas.ts';

const span = objectOf({ from: whole, to: whole }, ['from', 'to']);
const inputSchema = closedOf({ tags: texts, count: whole, span });

const toolWith = (options: {
  readonly rules?: RuleChoice;
  readonly repair?: RepairLevel;
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

test('RuleChoice has the ids of all rules, in the order of their tables', () => {
  expect(ruleIds).toEqual([...textRuleTable, ...ruleTable].map(({ id }) => id));
});

describe('a rule that is off', () => {
  test.each<[keyof RuleChoice, string]>([
    ['wrap_in_array', '{"tags":"a"}'],
    ['rename_key', '{"Tags":["a"]}'],
    ['unwrap_envelope', '{"arguments":{"tags":["a"]}}'],
    ['loose_json', "{'tags':['a']}"],
    ['unwrap_repeated', '{"span":{"span":{"from":1,"to":2}}}'],
  ])('%s rejects what it would repair', (rule, text) => {
    expect(repairsOf(toolWith({}), text)).toEqual([rule]);
    expect(repairsOf(toolWith({ rules: { [rule]: true } }), text)).toEqual([rule]);
    expect(repairsOf(toolWith({ rules: { [rule]: false } }), text)).toBe('rejected');
  });

  test('may have the id that it had before', () => {
    const text = '{"tags":["a"] "count":3}';
    // As an entry, because the member is marked as deprecated.
    const formerly = (isOn: boolean): ToolContract =>
      toolWith({ rules: Object.fromEntries([['readings', isOn]]) });
    expect(repairsOf(toolWith({}), text)).toEqual(['broken_json']);
    expect(repairsOf(formerly(true), text)).toEqual(['broken_json']);
    expect(repairsOf(formerly(false), text)).toBe('rejected');
    expect(repairsOf(formerly(false), '{"tags":"a"}')).toEqual(['wrap_in_array']);
  });

  test('is not one whose choice is undefined', () => {
    const rules = { wrap_in_array: undefined };
    const tool = Reflect.apply(toolWith, undefined, [{ rules }]);
    expect(repairsOf(tool, '{"tags":"a"}')).toEqual(['wrap_in_array']);
  });

  test.each<[string, keyof RuleChoice, object]>([
    ['another branch of a union', 'text_to_integer', { ids: '5' }],
    ['a key that an open object keeps as it was sent', 'unwrap_single', { Label: ['a'] }],
  ])('does not make another value right, by %s', (_way, rule, sent) => {
    const schema = objectOf({
      ids: { ...texts, type: ['integer', 'array'] },
      label: { enum: ['a', 'b'] },
    });
    const statusOf = (rules: RuleChoice, value: object): string =>
      interpretArguments(schema, { value }, { tool: { rules } }).status;
    expect(statusOf({ [rule]: false }, sent)).toBe('rejected');
    expect(statusOf({ [rule]: false }, { ids: 5, label: 'a', Other: ['a'] })).toBe('unchanged');
    expect(statusOf({ [rule]: false }, { Label: 'a' })).toBe('repaired');
  });

  test('leaves valid calls and other rules alone', () => {
    const tool = toolWith({ rules: { wrap_in_array: false } });
    expect(repairsOf(tool, '{"tags":["a"]}')).toEqual([]);
    const call = 'Call: {"name":"tag","arguments":{"count":3}}';
    expect(repairsOf(tool, call)).toEqual(['surrounding_text', 'unwrap_envelope']);
    expect(repairsOf(toolWith({ rules: { unwrap_envelope: false } }), call)).toBe('rejected');
    expect(repairsOf(toolWith({ rules: { rename_key: false } }), '{"z":null}')).toEqual([
      'drop_empty_key',
    ]);
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

test('onInterpretation receives what interpretArguments returns, and its exceptions are ignored', () => {
  const events: unknown[] = [];
  const onInterpretation = (interpretation: unknown): void => {
    events.push(interpretation);
    throw new Error('ignored');
  };
  const results = ['{"count":"3"}', '{"count":{}}'].map((text) =>
    interpretArguments(inputSchema, { text }, { onInterpretation }),
  );
  expect(events).toEqual(results);
});
