// What does a model read when a tool throws? Its author's signals; of everything else a fixed sentence.
import { inspect } from 'node:util';
import { IsOptional, IsString } from 'class-validator';
import {
  defineTool,
  Tool,
  ToolFailure,
  toolMessage,
  ToolMethod,
  ToolRegistry,
  ToolRetry,
  type ToolOutcome,
} from 'toolmend';
import { RecordingListener } from './recording-listener.ts';
import { thrownShapes } from './thrown-shapes.ts';

const marker = 'PLANTED-7f3a';
const inputSchema = { type: 'object', properties: {} } as const;
const call = { id: 'call_1', name: 'explode', arguments: '{}', model: 'qwen3' };

const throwing =
  (what: () => unknown): (() => never) =>
  () => {
    throw what();
  };

/** The same thrown thing from four places of an author's code. */
const places: ReadonlyMap<string, (what: () => unknown, listener: RecordingListener) => ToolRegistry> =
  new Map([
    [
      'a function',
      (what, listener) => new ToolRegistry({ listeners: [listener] }).register(functionTool(throwing(what))),
    ],
    [
      'an async function',
      (what, listener) =>
        new ToolRegistry({ listeners: [listener] }).register(
          functionTool(async () => {
            await Promise.resolve();
            throw what();
          }),
        ),
    ],
    [
      'a class',
      (what, listener) =>
        new ToolRegistry({
          listeners: [listener],
          create: (Class) => Reflect.construct(Class, [what]),
        }).register(Explode),
    ],
    [
      'create',
      (what, listener) =>
        new ToolRegistry({ listeners: [listener], create: throwing(what) }).register(Explode),
    ],
  ]);

const functionTool = (execute: () => unknown) =>
  defineTool({ name: 'explode', description: 'Throws.', inputSchema, execute });

@Tool({ description: 'Throws.' })
class Explode {
  readonly #what: () => unknown;

  constructor(what: () => unknown) {
    this.#what = what;
  }

  execute(): never {
    throw this.#what();
  }
}

class ExplodeArguments {
  @IsOptional() @IsString() how?: string;
}

describe('of an unexpected exception the model reads a fixed sentence and an id', () => {
  const shapes = [...thrownShapes(marker)];
  const cases = [...places].flatMap(([place, registryOf]) =>
    shapes.map(([shape, what]) => ({ title: `${shape} from ${place}`, registryOf, what })),
  );

  it('looks at a hundred and more', () => {
    expect(cases.length).toBeGreaterThanOrEqual(100);
  });

  it.each(cases)('$title', async ({ registryOf, what }) => {
    const listener = new RecordingListener();
    const thrown = what();
    const outcome = await registryOf(() => thrown, listener).call(call);
    if (outcome.status !== 'failed' || outcome.reason !== 'exception') throw new Error(outcome.status);
    expect(outcome.message).toBe(`explode failed with an internal error (error ${outcome.errorId}).`);
    expect(outcome.errorId).toMatch(/^[0-9a-f]{8}$/);
    expect(toolMessage(outcome)).toEqual({ text: outcome.message, notes: [], isError: true });
    expect(
      [JSON.stringify(outcome), inspect(outcome, { depth: 9 }), JSON.stringify(listener.events)].join(),
    ).not.toContain(marker);
    expect(Object.keys(outcome)).not.toContain('cause');
    expect(Object.is(outcome.cause, thrown)).toBe(true);
    expect(listener.errors).toHaveLength(1);
    expect(Object.is(listener.errors[0]?.error, thrown)).toBe(true);
    expect(listener.errors[0]).toMatchObject({
      tool: 'explode',
      callId: 'call_1',
      model: 'qwen3',
      errorId: outcome.errorId,
    });
  });
});

describe('signals', () => {
  const outcomeOf = async (thrown: unknown): Promise<ToolOutcome> =>
    new ToolRegistry().register(functionTool(throwing(() => thrown))).call(call);

  it('ToolRetry: its text, as it is, and never its cause', async () => {
    const outcome = await outcomeOf(
      new ToolRetry('Give an id from list_payments.', { cause: new Error(marker) }),
    );
    expect(outcome).toMatchObject({
      status: 'retry',
      tool: 'explode',
      message: 'Give an id from list_payments.',
    });
    expect(toolMessage(outcome)).toEqual({
      text: 'Give an id from list_payments.',
      notes: [],
      isError: true,
    });
    expect(inspect(outcome, { depth: 9 })).not.toContain(marker);
  });

  it('ToolFailure: its text, as it is; the application finds the error as cause', async () => {
    const failure = new ToolFailure('The payment is refunded already.', { cause: new Error(marker) });
    const outcome = await outcomeOf(failure);
    expect(outcome).toMatchObject({
      status: 'failed',
      reason: 'declared',
      message: 'The payment is refunded already.',
    });
    expect(outcome.status === 'failed' && outcome.cause).toBe(failure);
    expect(outcome).not.toHaveProperty('errorId');
    expect(inspect(outcome, { depth: 9 })).not.toContain(marker);
  });

  it('subclasses, and signals of another installed copy, are signals', async () => {
    class NotFound extends ToolRetry {}
    const foreign = Object.defineProperty(new Error('from afar'), Symbol.for('toolmend.signal'), {
      value: 'failure',
    });
    expect(await outcomeOf(new NotFound('no such file'))).toMatchObject({
      status: 'retry',
      message: 'no such file',
    });
    expect(await outcomeOf(foreign)).toMatchObject({
      status: 'failed',
      reason: 'declared',
      message: 'from afar',
    });
  });

  it('are errors with a name and a stack for their author', () => {
    const retry = new ToolRetry('again');
    expect(retry).toBeInstanceOf(Error);
    expect(retry.name).toBe('ToolRetry');
    expect(retry.stack).toContain('exceptions.test');
    expect(Object.keys(retry)).not.toContain('toolmend.signal');
  });

  it('half of a character in a signal is made whole', async () => {
    expect(toolMessage(await outcomeOf(new ToolRetry('a\ud800b'))).text).toBe('a\ufffdb');
  });

  it('a method of a provider can throw them too', async () => {
    class Provider {
      @ToolMethod(ExplodeArguments, { description: 'Throws.' })
      explode(): never {
        throw new ToolRetry('as a method');
      }
    }
    expect(await new ToolRegistry().register(Provider).call(call)).toMatchObject({
      status: 'retry',
      message: 'as a method',
    });
  });
});
