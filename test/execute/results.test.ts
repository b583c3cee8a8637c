// What does a model read of a result, and what does a tool's code get as arguments?
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  ArrayOf,
  Default,
  defineTool,
  FromContext,
  Tool,
  toolMessage,
  ToolMethod,
  ToolRegistry,
  type ToolContext,
  type ToolOutcome,
} from 'toolmend';

const call = { id: 'call_1', name: 'answer', arguments: '{}' };

const outcomeOf = async (result: unknown): Promise<ToolOutcome> =>
  new ToolRegistry()
    .register(
      defineTool({
        name: 'answer',
        description: 'Answers.',
        inputSchema: { type: 'object', properties: {} },
        execute: () => result,
      }),
    )
    .call(call);

describe('a result', () => {
  it.each([
    ['text, as it is', 'two\nlines <b>', { text: 'two\nlines <b>' }],
    ['empty text, as it is', '', { text: '' }],
    ['nothing', undefined, { text: 'Done. There is no output.' }],
    ['null', null, { text: 'null', structured: null }],
    ['a number', 1.5, { text: '1.5', structured: 1.5 }],
    ['false', false, { text: 'false', structured: false }],
    ['a list', [1, 'two'], { text: '[1,"two"]', structured: [1, 'two'] }],
    [
      'an object, as JSON writes it',
      { at: new Date(0), no: undefined },
      { text: '{"at":"1970-01-01T00:00:00.000Z"}', structured: { at: '1970-01-01T00:00:00.000Z' } },
    ],
    ['a promise of one', Promise.resolve('later'), { text: 'later' }],
    [
      'a Map, as an object; its keys are data',
      new Map<string, unknown>([
        ['a', new Map()],
        ['__proto__', 1],
      ]),
      { text: '{"a":{},"__proto__":1}', structured: JSON.parse('{"a":{},"__proto__":1}') },
    ],
    [
      'a Map whose keys are no texts, as pairs',
      { byId: new Map([[7, 'seven']]) },
      { text: '{"byId":[[7,"seven"]]}', structured: { byId: [[7, 'seven']] } },
    ],
    ['a Set, as a list', new Set(['a', new Set([1])]), { text: '["a",[1]]', structured: ['a', [1]] }],
    [
      'bytes and boxes, as JSON writes them',
      { bytes: new Uint8Array([1]), count: Object(2), url: new URL('https://example.com/') },
      {
        text: '{"bytes":{"0":1},"count":2,"url":"https://example.com/"}',
        structured: { bytes: { 0: 1 }, count: 2, url: 'https://example.com/' },
      },
    ],
    [
      'words of ours, which are data',
      { status: 'failed', message: 'x', 'x-toolmend': 1 },
      {
        text: '{"status":"failed","message":"x","x-toolmend":1}',
        structured: { status: 'failed', message: 'x', 'x-toolmend': 1 },
      },
    ],
  ])('%s', async (_title, result, content) => {
    const outcome = await outcomeOf(result);
    expect(outcome).toMatchObject({ status: 'completed', tool: 'answer', content });
    expect(toolMessage(outcome)).toEqual({ ...content, notes: [], isError: false });
  });

  it('is kept for the application as it was returned; the copy is plain', async () => {
    const result = { at: new Date(0) };
    const outcome = await outcomeOf(result);
    if (outcome.status !== 'completed') throw new Error(outcome.status);
    expect(outcome.result).toBe(result);
    expect(outcome.content.structured).not.toBe(result);
  });

  it('keys of a result that look like a prototype are its own keys, and pollute nothing', async () => {
    const outcome = await outcomeOf(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'));
    const { structured } = toolMessage(outcome);
    expect(Object.keys(structured ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('half of a character is made whole, in text, values and keys, and no key is lost', async () => {
    expect(toolMessage(await outcomeOf('a\ud800')).text).toBe('a\ufffd');
    const { text, structured } = toolMessage(
      await outcomeOf({ 'k\ud800': 'v\udc00', 'k\ufffd': ['\ud83d\ude00'], 'k\ud801': 1 }),
    );
    expect(text).toBe('{"k\ufffd\ufffd":"v\ufffd","k\ufffd":["😀"],"k\ufffd\ufffd\ufffd":1}');
    expect(structured).toEqual({ 'k\ufffd\ufffd': 'v\ufffd', 'k\ufffd': ['😀'], 'k\ufffd\ufffd\ufffd': 1 });
    expect(text.isWellFormed()).toBe(true);
  });

  it('text that only speaks of an escape stays what it is', async () => {
    expect(toolMessage(await outcomeOf({ text: '\\ud800' })).text).toBe('{"text":"\\\\ud800"}');
  });
});

describe('a result that has no JSON form', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const ofManyLevels = (): unknown => JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  const ownMap = new Map<string, unknown>();
  ownMap.set('self', ownMap);
  const refuse = (): never => {
    throw new Error('SECRET');
  };

  it.each([
    ['a cycle', cycle],
    ['a BigInt', { count: 1n }],
    ['toJSON that throws', { toJSON: refuse }],
    ['a getter that throws', Object.defineProperty({}, 'value', { enumerable: true, get: refuse })],
    [
      'a proxy that throws',
      new Proxy({}, { ownKeys: refuse, get: (_target, key) => (key === 'then' ? undefined : refuse()) }),
    ],
    ['a function', () => 'SECRET'],
    ['a symbol', Symbol('SECRET')],
    ['too deep for JSON', ofManyLevels],
    ['an error, which would be nothing', { error: new Error('SECRET') }],
    ['an error with members', Object.assign(new TypeError('SECRET'), { code: 1 })],
    ['a regular expression', /SECRET/],
    ['a promise inside', { later: Promise.resolve('SECRET') }],
    ['headers, which no key shows', new Headers({ authorization: 'SECRET' })],
    ['search parameters', new URLSearchParams('a=SECRET')],
    ['a WeakMap', { weak: new WeakMap() }],
    ['a Map in itself', ownMap],
  ])('%s', async (_title, result) => {
    const outcome = await outcomeOf(result === ofManyLevels ? ofManyLevels() : result);
    if (outcome.status !== 'failed' || outcome.reason !== 'result') throw new Error(outcome.status);
    expect(outcome.message).toBe(
      `answer was executed, but its result cannot be shown (error ${outcome.errorId}).`,
    );
    expect(outcome.cause).toBeInstanceOf(Error);
    expect(JSON.stringify([outcome, toolMessage(outcome)])).not.toContain('SECRET');
  });

  it('a promise-like that throws is a tool that throws', async () => {
    const thenable = new Proxy({}, { get: (_target, key) => (key === 'then' ? refuse() : undefined) });
    expect(await outcomeOf(thenable)).toMatchObject({ status: 'failed', reason: 'exception' });
  });
});

describe('arguments that are no plain data are refused without running any of their code', () => {
  const ran: string[] = [];
  const trap = (name: string) => (): never => {
    ran.push(name);
    throw new Error(name);
  };
  it.each([
    ['a proxy', new Proxy({}, { ownKeys: trap('ownKeys'), get: trap('get') })],
    ['a getter', Object.defineProperty({}, 'paths', { enumerable: true, get: trap('getter') })],
    ['toJSON', { toJSON: trap('toJSON') }],
    ['a BigInt', { limit: 1n }],
    ['a claimed length', { length: 4e9, 0: 'a' }],
    ['a function', trap('function')],
  ])('%s', async (_title, sent) => {
    let started = false;
    const closed = { type: 'object', properties: {}, additionalProperties: false } as const;
    const execute = (): void => void (started = true);
    const tools = new ToolRegistry().register(
      defineTool({ name: 'answer', description: 'Answers.', inputSchema: closed, execute }),
    );
    const outcome = await tools.call({ ...call, arguments: sent });
    expect(outcome.status).toBe('invalid_arguments');
    expect(toolMessage(outcome).text).toContain('answer was not executed.');
    expect([started, ran]).toEqual([false, []]);
  });
});

describe('the arguments of a function', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      paths: { type: 'array', items: { $ref: '#/$defs/target' } },
      options: {
        type: 'object',
        properties: { depth: { type: 'integer', default: 2 } },
        default: { tags: [] },
      },
      limit: { type: 'integer', default: 10 },
      either: { anyOf: [{ type: 'object', properties: { one: { default: 1 } } }, { type: 'string' }] },
    },
    $defs: {
      target: {
        type: 'object',
        properties: { path: { type: 'string' }, mode: { type: 'string', default: 'read' } },
      },
    },
  } as const;

  /** Runs the tool and hands over what its function got, and the outcome. */
  async function received(sent: unknown): Promise<readonly [unknown, ToolOutcome]> {
    const got: unknown[] = [];
    const tool = defineTool({
      name: 'answer',
      description: 'Answers.',
      inputSchema,
      execute: (values) => void got.push(values),
    });
    const outcome = await new ToolRegistry().register(tool).call({ ...call, arguments: sent });
    return [got[0], outcome];
  }

  it('have the defaults of what is absent, at any depth; the interpreted arguments do not', async () => {
    const sent = { paths: [{ path: 'a' }, { path: 'b', mode: 'write' }], either: {} };
    const [values, outcome] = await received(sent);
    expect(values).toEqual({
      paths: [
        { path: 'a', mode: 'read' },
        { path: 'b', mode: 'write' },
      ],
      either: {},
      options: { tags: [] },
      limit: 10,
    });
    expect(outcome).toMatchObject({ interpretation: { status: 'unchanged', repairs: [] } });
    expect(outcome.status === 'completed' && outcome.interpretation.value).toEqual(sent);
  });

  it('what was sent stands, and gets the defaults inside it', async () => {
    expect((await received({ options: {}, limit: 0 }))[0]).toEqual({ options: { depth: 2 }, limit: 0 });
  });

  it('what one call does to its arguments and defaults shows in no other, nor in what was sent', async () => {
    const sent = { paths: [{ path: 'a' }] };
    const seen: string[] = [];
    const tool = defineTool<{ paths: { path: string }[]; options: { tags: string[] } }>({
      name: 'answer',
      description: 'Answers.',
      inputSchema,
      execute(values) {
        seen.push(JSON.stringify(values));
        values.options.tags.push('mine');
        values.paths.length = 0;
      },
    });
    const tools = new ToolRegistry().register(tool);
    const first = await tools.call({ ...call, arguments: sent });
    await tools.call({ ...call, arguments: sent });
    expect(seen).toEqual([seen[0], seen[0]]);
    expect(sent).toEqual({ paths: [{ path: 'a' }] });
    expect(first.status === 'completed' && first.interpretation.value).toEqual({ paths: [{ path: 'a' }] });
  });
});

describe('the arguments of a class', () => {
  @Tool({ description: 'Answers.' })
  class Answer {
    @ArrayOf(String) words!: string[];
    @IsOptional() @ArrayOf(String) @Default(['x']) extra?: string[];
    @FromContext('tenant') tenant!: string;

    execute(): unknown {
      const seen = JSON.stringify([this.words, this.extra, this.tenant]);
      this.words.push('mine');
      this.extra?.push('mine');
      return seen;
    }
  }

  it('are its own, defaults too', async () => {
    const sent = { words: ['a'] };
    const tools = new ToolRegistry({ context: { tenant: 't1' } }).register(Answer);
    const texts: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      texts.push(toolMessage(await tools.call({ ...call, arguments: sent })).text);
    }
    expect(texts).toEqual(['[["a"],["x"],"t1"]', '[["a"],["x"],"t1"]']);
    expect(sent).toEqual({ words: ['a'] });
  });

  it("the application's values win over what a model sends, which is told that it was ignored", async () => {
    const tools = new ToolRegistry({ context: { tenant: 'everyone' } }).register(Answer);
    const outcome = await tools.call(
      { ...call, arguments: '{"words":[],"tenant":"STOLEN"}' },
      { context: { tenant: 't2' } },
    );
    expect(toolMessage(outcome)).toEqual({
      text: '[[],["x"],"t2"]',
      notes: ['tenant is set by the application; the value that was sent is ignored.'],
      isError: false,
    });
    expect(JSON.stringify(tools.schemas())).not.toContain('tenant');
    const { text } = toolMessage(
      await tools.call({ ...call, arguments: '{"words":1e400,"tenant":"STOLEN"}' }),
    );
    expect(text).not.toContain('STOLEN');
  });

  it('a value that nobody set is not found on any prototype', async () => {
    let values: object | undefined;
    const execute = (_values: object, context: ToolContext): void => void (values = context.values);
    const inputSchema = { type: 'object' } as const;
    await new ToolRegistry()
      .register(defineTool({ name: 'answer', description: 'Answers.', inputSchema, execute }))
      .call(call);
    expect(Reflect.get(values ?? {}, 'toString')).toBeUndefined();
    expect(Object.isFrozen(values)).toBe(true);
  });
});

it('the arguments of a method are an instance of their class', async () => {
  class AnswerArguments {
    @IsString() text!: string;
    @IsOptional() @IsInt() times?: number;
  }
  class Provider {
    readonly #prefix = '> ';

    @ToolMethod(AnswerArguments, { description: 'Answers.' })
    answer(sent: AnswerArguments, context: ToolContext): unknown {
      return [this.#prefix, sent instanceof AnswerArguments, Object.entries(sent), context.call.id];
    }
  }
  const outcome = await new ToolRegistry().register(Provider).call({ ...call, arguments: '{"text":"hi"}' });
  expect(outcome).toMatchObject({ status: 'completed', result: ['> ', true, [['text', 'hi']], 'call_1'] });
});

it('notes stand beside the result, never in it', async () => {
  const inputSchema = {
    type: 'object',
    properties: { text: { type: 'string' } },
    additionalProperties: false,
  } as const;
  const tool = defineTool({
    name: 'answer',
    description: 'Answers.',
    inputSchema,
    unknownArguments: 'strip',
    execute: ({ text }) => text,
  });
  const outcome = await new ToolRegistry()
    .register(tool)
    .call({ ...call, arguments: '{"text":"hi","surplus":1}' });
  expect(toolMessage(outcome)).toEqual({
    text: 'hi',
    notes: ['surplus is not an argument of this tool and was left out.'],
    isError: false,
  });
});
