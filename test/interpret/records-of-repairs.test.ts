// Does each step before repair leave a record that can be replayed, and a note where the model should know?
import { CallMemory, type SchemaObject, type SchemaWarning, interpret, interpretArguments } from 'toolmend';
import { notesOf } from '../../src/interpret/notes.ts';
import { withMembersInText } from '../../src/json/serialize.ts';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { createAjvValidator } from '../../src/validate/ajv-validator.ts';
import { closedOf, listOf, objectOf, text, whole } from '../repair/sample-schemas.ts';

const schema = closedOf({ path: text, limit: whole }, ['path']);

describe('notes', () => {
  const record = { rule: 'x_rule', path: '/a/0', was: 'a text', tell: true } as const;

  test.each<[Parameters<typeof notesOf>[0][number], string]>([
    [
      { ...record, rule: 'pairs', operations: [{ op: 'add', path: '/a/0', value: 5 }] },
      'a[0] was not sent; 5 was used.',
    ],
    [
      { ...record, rule: 'context_field', operations: [{ op: 'remove', path: '/a/0' }] },
      'a[0] is set by the application; the value that was sent is ignored.',
    ],
    [{ ...record, operations: [{ op: 'move', from: '/a/0', path: '/b' }] }, 'a[0] was read as b.'],
    [
      { ...record, operations: [{ op: 'remove', path: '/a/0' }] },
      'a[0] is not an argument of this tool and was left out.',
    ],
    [{ ...record, operations: [{ op: 'replace', path: '/a/0', value: 5 }] }, 'a[0] was repaired (x_rule).'],
    [{ ...record, operations: [{ op: 'add', path: '/a/0', value: 5 }] }, 'a[0] was repaired (x_rule).'],
    [{ ...record, operations: [] }, 'a[0] was repaired (x_rule).'],
    [{ ...record, rule: 'pairs', operations: [] }, 'a[0] was repaired (pairs).'],
  ])('of %j', (told, expected) => {
    expect(notesOf([told, { ...told, tell: false }])).toEqual([
      { rule: told.rule, path: '/a/0', text: expected },
    ]);
  });
});

describe('text that had to be mended', () => {
  test('has a record that puts the value in its place', () => {
    const result = interpretArguments(schema, { text: "```json\n{'path': 'a',}\n```" });
    expect(result).toMatchObject({ status: 'repaired', value: { path: 'a' } });
    expect(result.repairs.length).toBeGreaterThan(0);
    for (const { path, tell, operations } of result.repairs) {
      expect({ path, tell, operations }).toEqual({
        path: '',
        tell: false,
        operations: [{ op: 'replace', path: '', value: { path: 'a' } }],
      });
    }
  });

  test('is passed on as it was read; text that was not is passed on as it came', () => {
    const passed = (sent: string) => interpretArguments(schema, { text: sent }, { output: 'json' });
    const spaced = ' {"path" : "a", "limit" : 1e2} ';
    expect(passed(spaced)).toMatchObject({ status: 'unchanged', text: spaced });
    expect(passed('{"path":"a","limit":1.0,}')).toMatchObject({ text: '{"path":"a","limit":1.0}' });
    expect(passed('{"path":"a","path":"a"}')).toMatchObject({ text: '{"path":"a"}' });
    expect(passed('{"path":5')).not.toHaveProperty('text');
    expect(passed('{"limit":5}')).not.toHaveProperty('text');
  });

  test('members are added behind the others of a text', () => {
    expect(withMembersInText('{"a": 1.0 } ', [['b', 2]])).toBe('{"a": 1.0,"b":2}');
    expect(
      withMembersInText('{ }', [
        ['b', [1]],
        ['c"', null],
      ]),
    ).toBe('{"b":[1],"c\\"":null}');
    expect(withMembersInText('{"a": 1 } ', [])).toBe('{"a": 1 } ');
  });
});

describe('a schema that is asked again', () => {
  /** Ajv, and how often it was made. */
  function counted() {
    let made = 0;
    const validator = (root: SchemaObject) => {
      made += 1;
      return createAjvValidator(root);
    };
    return { validator, made: () => made };
  }

  test('is compiled once for the same validator, name and meta arguments', () => {
    const own = closedOf({ path: text });
    const [first, second] = [counted(), counted()];
    const ask = (options: object) => interpretArguments(own, { value: { path: 'a' } }, options);
    for (let at = 0; at < 3; at += 1) ask({ validator: first.validator });
    expect(first.made()).toBe(1);
    ask({ validator: second.validator });
    ask({ validator: second.validator });
    expect([first.made(), second.made()]).toEqual([1, 1]);
    ask({ validator: second.validator, tool: 'find' });
    ask({ validator: second.validator, meta: true });
    ask({ validator: second.validator, onUnusableSchema: 'refuse' });
    expect(second.made()).toBe(4);
    ask({ validator: second.validator, tool: 'find' });
    ask({ validator: second.validator, meta: true });
    expect(second.made()).toBe(4);
  });

  test('has its meta arguments where they are switched on, and nowhere else', () => {
    const own = objectOf({ path: text });
    const value = { path: 'a', _rationale: 'b' };
    expect(interpretArguments(own, { value }, { meta: true }).meta).toEqual({ rationale: 'b' });
    expect(interpretArguments(own, { value }).meta).toEqual({});
    expect(interpretArguments(own, { value }, { meta: true }).meta).toEqual({ rationale: 'b' });
  });

  test('is warned of once, whatever it is asked for', () => {
    const warnings: SchemaWarning[] = [];
    const warn = (warning: SchemaWarning): void => void warnings.push(warning);
    const own = objectOf({ n: { ...whole, minimun: 3 } });
    for (const tool of ['a', 'b', { name: 'c' }]) interpretArguments(own, { value: {} }, { tool, warn });
    expect(warnings.map(({ code, tool }) => [code, tool])).toEqual([['unknown_keywords', 'a']]);
  });

  test.each([null, undefined, 5])('is given no input: %p', (input) => {
    const asked = (): unknown => Reflect.apply(interpretArguments, undefined, [schema, input]);
    expect(asked).toThrow('interpretArguments was given no input: pass { text }');
  });
});

test('a tool that is elsewhere gets its arguments as text', () => {
  const send = () => Promise.reject(new Error('nothing is sent'));
  const contract = contractFromSchema({ inputSchema: schema, binding: { kind: 'remote', send } });
  expect(interpret(contract, { arguments: '{"path": "a"}' })).toMatchObject({ text: '{"path": "a"}' });
  const own = contractFromSchema({ inputSchema: schema });
  expect(interpret(own, { arguments: '{"path": "a"}' })).not.toHaveProperty('text');
});

test('calls that were executed and failed in the same way are counted, and a success ends it', () => {
  const memory = new CallMemory();
  const end = (sent: unknown, way: string | undefined): number => memory.rememberEnding('run', sent, way);
  expect(memory.endedBefore('run', { a: 1 })).toBe(0);
  expect(end({ a: 1, b: 2 }, 'timeout')).toBe(1);
  expect(memory.endedBefore('run', { b: 2, a: 1 })).toBe(1);
  expect(memory.endedBefore('run', { a: 2 })).toBe(0);
  expect(memory.endedBefore('other', { a: 1, b: 2 })).toBe(0);
  expect(end('{"b":2,"a":1}', 'timeout')).toBe(2);
  expect(end({ a: 1, b: 2 }, 'not found')).toBe(1);
  expect(end({ a: 2 }, 'not found')).toBe(1);
  expect(end({ a: 2 }, undefined)).toBe(0);
  expect(memory.endedBefore('run', { a: 2 })).toBe(0);
  expect(end({ a: 2 }, 'not found')).toBe(1);
});

test('of 257 tools the one that failed longest ago is forgotten', () => {
  const memory = new CallMemory();
  for (let at = 0; at < 256; at += 1) memory.rememberEnding(`tool${at}`, {}, 'failed');
  expect(memory.endedBefore('tool0', {})).toBe(1);
  memory.rememberEnding('tool256', {}, 'failed');
  expect(memory.endedBefore('tool0', {})).toBe(0);
  expect(memory.endedBefore('tool1', {})).toBe(1);
  expect(memory.endedBefore('tool256', {})).toBe(1);
});

test('a key that came twice with other values is named', () => {
  expect(
    interpretArguments(objectOf({ l: listOf(whole) }), { text: '{"l":[1],"l":[2]}' }).issues,
  ).toMatchObject([{ keyword: 'duplicate_key', key: 'l' }]);
});
