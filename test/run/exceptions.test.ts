import { inspect } from 'node:util';
import { IsOptional, IsString } from 'class-validator';
import {
  type ToolContract,
  type RegistryOptions,
  Tool,
  ToolFailure,
  toolMessage,
  ToolMethod,
  ToolRegistry,
  ToolRetry,
} from 'toolmend';
import { callOf, RecordingListener, thrower, toolOf } from '../tools.ts';

const marker = 'PLANTED-7f3a';
const call = callOf({ model: 'qwen3' });

const refuse = thrower(new Error(marker));
const refusing = { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse };
const revoked = Proxy.revocable({}, {});
revoked.revoke();

/** What a tool can throw; each has the marker somewhere that a careless reader would show. */
const thrown: readonly (readonly [string, unknown])[] = [
  ['an Error', new Error(marker)],
  ['an Error with a cause', new Error('outer', { cause: new Error(marker) })],
  ['a DOMException', new DOMException(marker, 'AbortError')],
  ['an Error with a name', Object.assign(new Error('x'), { name: marker })],
  [
    'an Error with fields',
    Object.assign(new Error('x'), { sql: marker, response: { data: marker } }),
  ],
  ['a frozen Error', Object.freeze(new Error(marker))],
  ['an Error without a prototype', Object.setPrototypeOf(new Error(marker), null)],
  [
    'an Error whose message throws',
    Object.defineProperty(new Error('x'), 'message', { get: refuse }),
  ],
  ['a string', marker],
  ['undefined', undefined],
  ['null', null],
  ['a symbol', Symbol(marker)],
  ['a Map', new Map([[marker, marker]])],
  ['a promise', Promise.resolve(marker)],
  [
    'an object that looks like a signal',
    { kind: 'retry', message: marker, 'toolmend.signal': 'retry' },
  ],
  [
    'an object with a getter',
    Object.defineProperty({}, 'message', { enumerable: true, get: () => marker }),
  ],
  ['an object that becomes text', { toString: () => marker, toJSON: () => marker }],
  ['a proxy that throws', new Proxy({}, refusing)],
  ['a revoked proxy', revoked.proxy],
];

@Tool({ name: 'work', description: 'Throws.' })
class Throwing {
  constructor(readonly what: unknown) {}
  execute(): never {
    throw this.what;
  }
}

const create = (what: unknown) => ({ create: () => new Throwing(what) });

type Place = (what: unknown) => readonly [RegistryOptions, ToolContract | typeof Throwing];
const ofFunction: Place = (what) => [{}, toolOf(thrower(what))];
const ofAsyncFunction: Place = (what) => [{}, toolOf(async () => thrower(what)())];

it.each<readonly [string, unknown, Place]>([
  ...thrown.map(([title, what]) => [`${title} from a function`, what, ofFunction] as const),
  ['an Error from an async function', new Error(marker), ofAsyncFunction],
  ['an Error from a class', new Error(marker), (what) => [create(what), Throwing]],
  ['an Error from create', new Error(marker), (what) => [{ create: thrower(what) }, Throwing]],
])(
  'of an unexpected exception the model reads a fixed sentence and an id: %s',
  async (_title, what, place) => {
    const [options, tool] = place(what);
    const listener = new RecordingListener();
    const outcome = await new ToolRegistry({ listeners: [listener], ...options })
      .register(tool)
      .call(call);
    if (outcome.status !== 'failed' || outcome.reason !== 'exception')
      throw new Error(outcome.status);
    expect(outcome.message).toBe(`work failed with an internal error (error ${outcome.errorId}).`);
    expect(outcome.errorId).toMatch(/^[0-9a-f]{8}$/);
    expect(toolMessage(outcome)).toEqual({ text: outcome.message, notes: [], isError: true });
    const shown = [
      JSON.stringify(outcome),
      inspect(outcome, { depth: 9 }),
      JSON.stringify(listener.events),
    ];
    expect(shown.join()).not.toContain(marker);
    expect(Object.keys(outcome)).not.toContain('cause');
    expect(listener.errors).toHaveLength(1);
    for (const kept of [outcome.cause, listener.errors[0]?.error])
      expect(Object.is(kept, what)).toBe(true);
    const { errorId } = outcome;
    expect(listener.errors[0]).toMatchObject({
      tool: 'work',
      callId: 'call_1',
      model: 'qwen3',
      errorId,
    });
  },
);

describe('signals', () => {
  const outcomeOf = (signal: unknown) =>
    new ToolRegistry().register(toolOf(thrower(signal))).call(call);

  it('ToolRetry: the model reads its text, and never its cause', async () => {
    const outcome = await outcomeOf(new ToolRetry('Give an id.', { cause: new Error(marker) }));
    expect(outcome).toMatchObject({ status: 'retry', tool: 'work', message: 'Give an id.' });
    expect(toolMessage(outcome)).toEqual({ text: 'Give an id.', notes: [], isError: true });
    expect(inspect(outcome, { depth: 9 })).not.toContain(marker);
  });

  it('ToolFailure: the model reads its text; the application finds the error as cause', async () => {
    const message = 'It is refunded already.';
    const failure = new ToolFailure(message, { cause: new Error(marker) });
    const outcome = await outcomeOf(failure);
    expect(outcome).toMatchObject({ status: 'failed', reason: 'declared', message });
    expect(outcome.status === 'failed' && outcome.cause).toBe(failure);
    expect(outcome).not.toHaveProperty('errorId');
    expect(inspect(outcome, { depth: 9 })).not.toContain(marker);
  });

  it('can be subclasses, and can come from another installed copy or a method', async () => {
    class NotFound extends ToolRetry {}
    expect(await outcomeOf(new NotFound('gone'))).toMatchObject({
      status: 'retry',
      message: 'gone',
    });
    const foreign = { value: 'failure' };
    const message = 'from afar';
    const afar = Object.defineProperty(new Error(message), Symbol.for('toolmend.signal'), foreign);
    expect(await outcomeOf(afar)).toMatchObject({ status: 'failed', reason: 'declared', message });
    class WorkArguments {
      @IsOptional() @IsString() how?: string;
    }
    class Provider {
      @ToolMethod(WorkArguments, { description: 'Throws.' })
      work(): never {
        throw new ToolRetry('as a method');
      }
    }
    const outcome = await new ToolRegistry().register(Provider).call(call);
    expect(outcome).toMatchObject({ status: 'retry', message: 'as a method' });
  });

  it('are errors with a name and a stack', () => {
    const retry = new ToolRetry('again');
    expect(retry).toBeInstanceOf(Error);
    expect(retry.name).toBe('ToolRetry');
    expect(retry.stack).toContain('exceptions.test');
    expect(Object.keys(retry)).not.toContain('toolmend.signal');
  });
});
