// What can a result be beside a value? Words, images, something for the application; checked, cut, and read on in.
import { IsEmail, IsInt, IsOptional, IsString, Min } from 'class-validator';
import {
  ArrayOf,
  Check,
  contractsOf,
  defineTool,
  FromContext,
  Secret,
  Tool,
  ToolFailure,
  resultPages,
  toolMessage,
  ToolMethod,
  ToolRegistry,
  ToolResult,
  ToolRetry,
  type CallTelemetry,
  type RegistryOptions,
  type ToolContext,
  type ToolDefinition,
  type ToolOutcome,
} from 'toolmend';

const call = { id: 'call_1', name: 'answer', arguments: '{}' };

const toolsOf = (
  execute: ToolDefinition['execute'],
  facts: Partial<ToolDefinition> = {},
  options: RegistryOptions = {},
) =>
  new ToolRegistry(options).register(
    defineTool({
      name: 'answer',
      description: 'Answers.',
      inputSchema: { type: 'object' },
      ...facts,
      execute,
    }),
  );

const outcomeOf = (
  result: unknown,
  facts: Partial<ToolDefinition> = {},
  options: RegistryOptions = {},
): Promise<ToolOutcome> => toolsOf(() => result, facts, options).call(call);

describe('ToolResult', () => {
  it('text instead of JSON, images, an artifact that no model sees', async () => {
    const result = ToolResult.of({ rows: 3 })
      .text('3 rows')
      .image(new Uint8Array([1, 2]), 'image/png')
      .image('AQ==', 'image/gif')
      .artifact({ secret: 'SECRET' });
    const outcome = await outcomeOf(result);
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { rows: 3 },
      artifact: { secret: 'SECRET' },
      returnDirect: false,
    });
    expect(toolMessage(outcome)).toEqual({
      text: '3 rows',
      structured: { rows: 3 },
      images: [
        { data: 'AQI=', mediaType: 'image/png' },
        { data: 'AQ==', mediaType: 'image/gif' },
      ],
      notes: [],
      isError: false,
    });
    expect(JSON.stringify(toolMessage(outcome))).not.toContain('SECRET');
  });

  it('of a result is that result', async () => {
    const inner = ToolResult.of({ rows: 3 }).text('3 rows').artifact('a');
    expect(await outcomeOf(ToolResult.of(inner).returnDirect())).toMatchObject({
      content: { text: '3 rows', structured: { rows: 3 } },
      artifact: 'a',
      returnDirect: true,
    });
  });

  it.each<[string | Uint8Array, unknown]>([
    ['AQ==', 'text/html'],
    ['AQ==', ''],
    ['AQ==', undefined],
    ['AQ==', 'image/png"><x'],
    ['', 'image/png'],
    [new Uint8Array(), 'image/png'],
    ['!!', 'image/png'],
    ['data:image/png;base64,AQ==', 'image/png'],
  ])('an image that no provider would take fails the call: %j %j', async (data, mediaType) => {
    const result = ToolResult.of('text');
    const tools = toolsOf(() => Reflect.apply(result.image, result, [data, mediaType]));
    expect(await tools.call(call)).toMatchObject({
      status: 'failed',
      cause: { code: 'definition', message: expect.stringContaining("write image(bytes, 'image/png')") },
    });
  });

  it('each step is a new one; an image alone needs no words', async () => {
    const plain = ToolResult.of('text');
    plain.text('other');
    expect(toolMessage(await outcomeOf(plain)).text).toBe('text');
    expect(toolMessage(await outcomeOf(ToolResult.of().image('AQ==', 'image/png'))).text).toBe('');
  });

  it('data that looks like one is data', async () => {
    const parts = { parts: { value: 'x', images: [] } };
    expect(toolMessage(await outcomeOf(parts)).structured).toEqual(parts);
  });

  it('goes to the user directly if the tool or the result says so', async () => {
    expect(await outcomeOf('x', { returnDirect: true })).toMatchObject({ returnDirect: true });
    expect(await outcomeOf(ToolResult.of('x').returnDirect())).toMatchObject({ returnDirect: true });
  });
});

describe('an output schema', () => {
  const outputSchema = {
    type: 'object',
    properties: { rows: { type: 'integer' } },
    required: ['rows'],
  } as const;

  it('lets pass what fits, and keeps the rest from the model', async () => {
    expect(await outcomeOf({ rows: 1 }, { outputSchema })).toMatchObject({ status: 'completed' });
    for (const wrong of [{ rows: 'SECRET' }, {}, 'SECRET', undefined]) {
      const outcome = await outcomeOf(wrong, { outputSchema });
      if (outcome.status !== 'failed' || outcome.reason !== 'result') throw new Error(outcome.status);
      expect(outcome.message).toBe(
        `answer was executed, but its result cannot be shown (error ${outcome.errorId}).`,
      );
      expect(outcome.cause).toMatchObject({ code: 'output-schema' });
    }
  });

  it('that is none is told when the tool is registered', () => {
    expect(() => outcomeOf('', { outputSchema: { type: 'string' } })).toThrow(
      'answer has an outputSchema that is not the schema of an object',
    );
    expect(() =>
      outcomeOf('', { outputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } }),
    ).toThrow('answer.outputSchema');
  });
});

describe('an output schema that is a class', () => {
  class Row {
    @IsString() name!: string;
    @IsInt() @Min(0) count!: number;
  }
  class Rows {
    @ArrayOf(Row) rows!: Row[];
    @IsOptional() @IsEmail() sentTo?: string;
    @IsOptional() @IsString() @Secret() token?: string;

    constructor(readonly made: 'with parameters') {}

    @Check() hasRows(): true | string {
      return this.rows.length > 0 || 'There are no rows.';
    }
  }
  const row = { name: 'a', count: 1 };
  const answer = (result: unknown) => outcomeOf(result, { outputSchema: Rows });

  it('lets pass what fits, an instance too', async () => {
    const instance = Object.assign(Object.create(Rows.prototype), { rows: [row] });
    for (const fitting of [{ rows: [row] }, { rows: [row], sentTo: 'a@b.org' }, instance])
      expect(await answer(fitting)).toMatchObject({ status: 'completed', content: { structured: fitting } });
  });

  it.each([
    ['a wrong type', { rows: [{ name: 'a', count: '1' }] }, 'type at /rows/0/count'],
    ['what is undeclared', { rows: [row], more: 1 }, 'additionalProperties'],
    ['what is missing', {}, 'required'],
    ['what only code refuses', { rows: [] }, 'hasRows at the root'],
    ['another kind of value', [row], 'type at the root'],
  ])('keeps %s from the model', async (_title, result, why) => {
    const outcome = await answer(result);
    if (outcome.status !== 'failed') throw new Error(outcome.status);
    expect(outcome.reason).toBe('result');
    expect(String(outcome.cause)).toContain(why);
  });

  it('stands in the contract as a schema, for classes and methods too', () => {
    @Tool({ description: 'Lists.', outputSchema: Row })
    class List {
      execute(): Row {
        return row;
      }
    }
    class Arguments {
      @IsString() path!: string;
    }
    class Service {
      @ToolMethod(Arguments, { description: 'Counts.', outputSchema: Row })
      count(): Row {
        return row;
      }
    }
    const rowSchema = {
      type: 'object',
      properties: { name: { type: 'string' }, count: { type: 'integer', minimum: 0 } },
      required: ['name', 'count'],
      additionalProperties: false,
    };
    @Tool({ description: 'Logs in.', outputSchema: Rows })
    class Login {
      execute(): void {}
    }
    expect(JSON.stringify(contractsOf(Login)[0]?.execution?.outputSchema)).not.toContain('toolmend');
    const contracts = [...contractsOf(List), ...contractsOf(Service)];
    expect(contracts.map(({ execution }) => execution?.outputSchema)).toEqual([rowSchema, rowSchema]);
  });

  it('its secrets are for the model, and for no trace of the call', async () => {
    const told: string[] = [];
    const telemetry: CallTelemetry = {
      async observe(_call, run, endOf) {
        const outcome = await run();
        told.push(endOf(outcome).content().result ?? 'nothing');
        return outcome;
      },
    };
    const secret = { rows: [row], token: 'c4n4ry' };
    for (const result of [secret, ToolResult.of(secret).text('The token is c4n4ry.')]) {
      const outcome = await outcomeOf(result, { outputSchema: Rows }, { telemetry });
      expect(toolMessage(outcome).text).toContain('c4n4ry');
    }
    await outcomeOf(secret, { outputSchema: Rows }, { telemetry });
    const masked = '{"rows":[{"name":"a","count":1}],"token":"(secret)"}';
    expect(told).toEqual([masked, masked, masked]);
  });

  it('that is no class of values is told when the tool is registered', () => {
    class Empty {}
    class FromOutside {
      @FromContext('user') user!: string;
      @IsString() name!: string;
    }
    expect(() => outcomeOf('', { outputSchema: Empty })).toThrow('Empty has no decorated field');
    expect(() => outcomeOf('', { outputSchema: FromOutside })).toThrow(
      'FromOutside.user is @FromContext in a class of results',
    );
  });
});

describe('result pages', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index} 😀\n`).join('');
  const paged = (execute: ToolDefinition['execute'], maxResultChars = 500, options: RegistryOptions = {}) => {
    const pages = resultPages({ maxResultChars });
    const interceptors = [pages.interceptor];
    return toolsOf(execute, {}, { interceptors, ...options }).register(pages.tool);
  };
  /** The call that a note asks for. */
  const nextCall = (outcome: ToolOutcome) => {
    const [, name = '', sent = ''] =
      /call (\w+) with (\{.*\})/.exec(toolMessage(outcome).notes[0] ?? '') ?? [];
    return { id: 'call_2', name, arguments: sent };
  };

  it('leave a short result and its structure as they are', async () => {
    expect(toolMessage(await paged(() => [1]).call(call))).toEqual({
      text: '[1]',
      structured: [1],
      notes: [],
      isError: false,
    });
  });

  it('cut a long result at line ends; its parts together are the whole, and the tool runs once', async () => {
    let runs = 0;
    const tools = paged(() => {
      runs += 1;
      return lines;
    });
    let outcome = await tools.call(call);
    expect(outcome).toMatchObject({ status: 'completed', result: lines });
    const parts = [toolMessage(outcome).text];
    while (toolMessage(outcome).notes[0]?.includes('next part')) {
      outcome = await tools.call(nextCall(outcome));
      expect(outcome.status).toBe('completed');
      parts.push(toolMessage(outcome).text);
    }
    expect(parts.join('')).toBe(lines);
    expect(parts.every((part) => part.length <= 500 && part.isWellFormed())).toBe(true);
    expect(parts.slice(0, -1).every((part) => part.endsWith('\n'))).toBe(true);
    expect(toolMessage(outcome).notes).toEqual([
      `This is part ${parts.length} of ${parts.length} of the result.`,
    ]);
    expect(runs).toBe(1);
  });

  it('belong to the tenant they were made for', async () => {
    const tools = paged(() => lines);
    const next = nextCall(await tools.call(call, { tenant: 'a' }));
    expect(await tools.call(next, { tenant: 'b' })).toMatchObject({
      status: 'failed',
      message: 'That result is no longer kept. Call the tool that gave it again.',
    });
    expect((await tools.call({ ...next, arguments: '{"page":"nonsense"}' })).status).toBe('failed');
    expect((await tools.call(next, { tenant: 'a' })).status).toBe('completed');
  });

  it('are not pushed out by results of another tenant', async () => {
    const tools = paged(() => lines);
    const own = await tools.call(call, { tenant: 'a' });
    const others = await Promise.all(Array.from({ length: 17 }, () => tools.call(call, { tenant: 'b' })));
    const statusOf = async (outcome: ToolOutcome | undefined, tenant: string) =>
      outcome && (await tools.call(nextCall(outcome), { tenant })).status;
    expect(await statusOf(own, 'a')).toBe('completed');
    expect([await statusOf(others[0], 'b'), await statusOf(others[16], 'b')]).toEqual([
      'failed',
      'completed',
    ]);
  });

  it.each([
    ['a failure', ToolFailure, 'failed'],
    ['a retry', ToolRetry, 'retry'],
  ] as const)('cut what a tool says of %s too', async (_title, Signal, status) => {
    const thrown = new Signal('x'.repeat(250));
    const tools = paged(() => {
      throw thrown;
    }, 100);
    const outcome = await tools.call(call);
    expect(toolMessage(outcome)).toEqual({
      text: 'x'.repeat(100),
      notes: [expect.stringContaining('part 1 of 3')],
      isError: true,
    });
    expect(outcome.status).toBe(status);
    expect(JSON.stringify(outcome)).not.toContain('cause');
    if (outcome.status === 'failed') expect(outcome.cause).toBe(thrown);
    expect(await tools.call(nextCall(outcome))).toMatchObject({
      status: 'completed',
      content: { text: 'x'.repeat(100) },
    });
  });

  it('cut JSON as text, and keep the whole value for the application', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => index);
    const long = await paged(() => rows, 100).call(call);
    expect(toolMessage(long)).toMatchObject({ text: JSON.stringify(rows).slice(0, 100) });
    expect(toolMessage(long)).not.toHaveProperty('structured');
    expect(long).toMatchObject({ result: rows });
  });

  it('leave results with an output schema whole, because clients expect the object', async () => {
    const pages = resultPages({ maxResultChars: 100 });
    const tools = toolsOf(
      () => ({ text: lines }),
      { outputSchema: { type: 'object' } },
      { interceptors: [pages.interceptor] },
    );
    expect(toolMessage(await tools.call(call)).structured).toEqual({ text: lines });
  });

  it.each([[{ maxResultChars: 99 }], [{ maxResultChars: 1.5 }], [{ maxChars: 500 }]])(
    'are refused with the options %j',
    (options) => {
      expect(() => Reflect.apply(resultPages, undefined, [options])).toThrow(/^resultPages /);
    },
  );
});

describe('a generator', () => {
  it('reports what it yields, and results in what it returns; of a class too', async () => {
    const updates: unknown[] = [];
    @Tool({ description: 'Answers.' })
    class Answer {
      async *execute(): AsyncGenerator<number, string> {
        yield 1;
        yield 2;
        return 'done';
      }
    }
    const outcome = await new ToolRegistry()
      .register(Answer)
      .call(call, { progress: (update) => updates.push(update) });
    expect(toolMessage(outcome).text).toBe('done');
    expect(updates).toEqual([1, 2]);
  });

  it('that yields without a pause leaves the event loop its turns', async () => {
    const tools = toolsOf(
      async function* (_values: object, { signal }: ToolContext) {
        // An end, so that a loop that is never left does not hold up the tests.
        for (let count = 0; count < 3_000_000 && !signal.aborted; count += 1) yield count;
      },
      { timeoutMs: 20 },
    );
    expect((await tools.call(call)).status).toBe('timed_out');
  });

  it('is closed when the call has ended before it', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<string>();
    const tools = toolsOf(
      async function* () {
        try {
          for (;;) yield await new Promise((next) => setTimeout(next, 5));
        } finally {
          resolve('closed');
        }
      },
      { timeoutMs: 20 },
    );
    expect((await tools.call(call)).status).toBe('timed_out');
    expect(await closed).toBe('closed');
  });
});
