import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  type ToolContext,
  type ToolDefinition,
  FromContext,
  toolMessage,
  ToolMethod,
  ToolRegistry,
} from 'toolmend';
import { callOf, thrower, toolOf } from '../tools.ts';

const registryOf = (execute: ToolDefinition['execute'], options: Partial<ToolDefinition> = {}) =>
  new ToolRegistry().register(toolOf(execute, options));
const outcomeOf = (result: unknown) => registryOf(() => result).call(callOf());

describe('a result', () => {
  const url = 'https://example.com/';
  const likeOutcome = { status: 'failed', message: 'x', 'x-toolmend': 1 };
  const evil = JSON.parse('{"a":{},"__proto__":1}');

  it.each([
    ['a string, as it is', 'two\nlines <b>', { text: 'two\nlines <b>' }],
    ['an empty string, as it is', '', { text: '' }],
    ['nothing', undefined, { text: 'Done. There is no output.' }],
    ['null', null, { text: 'null', structured: null }],
    ['a number', 1.5, { text: '1.5', structured: 1.5 }],
    ['false', false, { text: 'false', structured: false }],
    ['an array', [1, 'two'], { text: '[1,"two"]', structured: [1, 'two'] }],
    [
      'an object',
      { at: new Date(0), no: undefined },
      { structured: { at: '1970-01-01T00:00:00.000Z' } },
    ],
    ['a promise', Promise.resolve('later'), { text: 'later' }],
    ['a Map as an object with own keys', new Map(Object.entries(evil)), { structured: evil }],
    [
      'a Map with other keys as pairs',
      { byId: new Map([[7, 'a']]) },
      { structured: { byId: [[7, 'a']] } },
    ],
    ['a Set as an array', new Set(['a', new Set([1])]), { structured: ['a', [1]] }],
    [
      'bytes as JSON writes them',
      { bytes: new Uint8Array([1]) },
      { structured: { bytes: { 0: 1 } } },
    ],
    ['boxes as JSON writes them', [Object(2), new URL(url)], { structured: [2, url] }],
    ['an object that looks like an outcome', likeOutcome, { structured: likeOutcome }],
    ['own keys that look like a prototype', evil, { structured: evil }],
  ])('%s', async (_title, result, expected: { text?: string; structured?: unknown }) => {
    const content = { text: JSON.stringify(expected.structured), ...expected };
    const outcome = await outcomeOf(result);
    expect(outcome).toMatchObject({ status: 'completed', tool: 'work', content });
    expect(toolMessage(outcome)).toEqual({ ...content, notes: [], isError: false });
  });

  it('is kept for the application as it was returned; the model gets a plain copy', async () => {
    const result = { at: new Date(0) };
    const outcome = await outcomeOf(result);
    if (outcome.status !== 'completed') throw new Error(outcome.status);
    expect(outcome.result).toBe(result);
    expect(outcome.content.structured).not.toBe(result);
  });

  it('becomes well-formed Unicode in text, values and keys, and no key is lost', async () => {
    expect(toolMessage(await outcomeOf('a\ud800')).text).toBe('a\ufffd');
    const sent = {
      'k\ud800': 'v\udc00',
      'k\ufffd': ['\ud83d\ude00'],
      'k\ud801': 1,
      text: '\\ud800',
    };
    const { text, structured } = toolMessage(await outcomeOf(sent));
    const made = {
      'k\ufffd\ufffd': 'v\ufffd',
      'k\ufffd': ['😀'],
      'k\ufffd\ufffd\ufffd': 1,
      text: sent.text,
    };
    expect(text).toBe(JSON.stringify(made));
    expect(structured).toEqual(made);
  });
});

describe('a result without a JSON form fails the call', () => {
  const refuse = thrower(new Error('SECRET'));
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const ownMap = new Map<string, unknown>();
  ownMap.set('self', ownMap);
  const refuseBut = (name: string) => (_target: object, key: unknown) =>
    key === name ? undefined : refuse();

  it.each<[string, () => unknown]>([
    ['a cycle', () => cycle],
    ['a Map in itself', () => ownMap],
    ['a BigInt', () => ({ count: 1n })],
    ['toJSON that throws', () => ({ toJSON: refuse })],
    [
      'a getter that throws',
      () => Object.defineProperty({}, 'value', { enumerable: true, get: refuse }),
    ],
    ['a proxy that throws', () => new Proxy({}, { ownKeys: refuse, get: refuseBut('then') })],
    ['a function', () => () => 'SECRET'],
    ['a symbol', () => Symbol('SECRET')],
    ['too deep for JSON', () => JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)],
    ['an error, which JSON would make {}', () => ({ error: new Error('SECRET') })],
    ['an error with members', () => Object.assign(new TypeError('SECRET'), { code: 1 })],
    ['a regular expression', () => /SECRET/],
    ['a promise inside', () => ({ later: Promise.resolve('SECRET') })],
    ['headers', () => new Headers({ authorization: 'SECRET' })],
    ['a WeakMap', () => ({ weak: new WeakMap() })],
  ])('%s', async (_title, make) => {
    const outcome = await registryOf(make).call(callOf());
    if (outcome.status !== 'failed' || outcome.reason !== 'result') throw new Error(outcome.status);
    const { errorId, message } = outcome;
    expect(message).toBe(`work was executed, but its result cannot be shown (error ${errorId}).`);
    expect(outcome.cause).toBeInstanceOf(Error);
    expect(JSON.stringify([outcome, toolMessage(outcome)])).not.toContain('SECRET');
  });
});

describe('the arguments of a function', () => {
  const parts = { path: { type: 'string' }, mode: { default: 'read' } } as const;
  const inputSchema = {
    type: 'object',
    properties: {
      paths: { type: 'array', items: { $ref: '#/$defs/target' } },
      options: { type: 'object', properties: { depth: { default: 2 } }, default: { tags: [] } },
      limit: { type: 'integer', default: 10 },
      either: {
        anyOf: [{ type: 'object', properties: { one: { default: 1 } } }, { type: 'string' }],
      },
    },
    $defs: { target: { type: 'object', properties: parts } },
  } as const;

  it('have the defaults of what is absent, at any depth; the interpreted arguments do not', async () => {
    const got: unknown[] = [];
    const tools = registryOf((values) => void got.push(values), { inputSchema });
    const sent = { paths: [{ path: 'a' }, { path: 'b', mode: 'write' }], either: {} };
    const outcome = await tools.call(callOf({ arguments: sent }));
    await tools.call(callOf({ arguments: { options: {}, limit: 0 } }));
    const paths = [{ path: 'a', mode: 'read' }, sent.paths[1]];
    const first = { paths, either: {}, options: { tags: [] }, limit: 10 };
    expect(got).toEqual([first, { options: { depth: 2 }, limit: 0 }]);
    expect(outcome).toMatchObject({ interpretation: { status: 'unchanged', repairs: [] } });
    expect(outcome.status === 'completed' && outcome.interpretation.value).toEqual(sent);
  });

  it('are copies: changing them or the defaults affects no other call and not what was sent', async () => {
    const sent = { paths: [{ path: 'a' }] };
    const seen: string[] = [];
    const execute = (values: { paths: { path: string }[]; options: { tags: string[] } }): void => {
      seen.push(JSON.stringify(values));
      values.options.tags.push('mine');
      values.paths.length = 0;
    };
    const tools = new ToolRegistry().register(toolOf(execute, { inputSchema }));
    const first = await tools.call(callOf({ arguments: sent }));
    await tools.call(callOf({ arguments: sent }));
    expect(seen).toEqual([seen[0], seen[0]]);
    expect(sent).toEqual({ paths: [{ path: 'a' }] });
    expect(first.status === 'completed' && first.interpretation.value).toEqual(sent);
  });
});

it('values of the context are own and frozen', async () => {
  let values: object | undefined;
  await registryOf((_values, context: ToolContext) => void (values = context.values)).call(
    callOf(),
  );
  expect(Reflect.get(values ?? {}, 'toString')).toBeUndefined();
  expect(Object.isFrozen(values)).toBe(true);
});

it('the arguments of a method are an instance of their class', async () => {
  class AnswerArguments {
    @IsString() text!: string;
    @IsOptional() @IsInt() times?: number;
    @FromContext() tenant!: string;
    both(): string {
      return `${this.text} ${this.tenant}`;
    }
  }
  class Provider {
    readonly #prefix = '> ';
    @ToolMethod(AnswerArguments, { description: 'Answers.' })
    work(sent: AnswerArguments, context: ToolContext): unknown {
      return [this.#prefix + sent.both(), Object.keys(sent), context.call.id];
    }
  }
  const tools = new ToolRegistry({ context: { tenant: 't1' } }).register(Provider);
  const outcome = await tools.call(callOf({ arguments: '{"text":"hi"}' }));
  expect(outcome).toMatchObject({ result: ['> hi t1', ['text', 'tenant'], 'call_1'] });
});
