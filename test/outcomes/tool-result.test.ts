import { IsEmail, IsInt, IsOptional, IsString, Min } from 'class-validator';
import {
  ArrayOf,
  Check,
  contractsOf,
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
import { callOf, thrower, toolOf } from '../tools.ts';

const call = callOf();
const toolsOf = (
  execute: ToolDefinition['execute'],
  options: Partial<ToolDefinition> = {},
  registry: RegistryOptions = {},
) => new ToolRegistry(registry).register(toolOf(execute, options));
const outcomeOf = (
  result: unknown,
  options: Partial<ToolDefinition> = {},
  registry: RegistryOptions = {},
) => toolsOf(() => result, options, registry).call(call);

describe('ToolResult', () => {
  it('keeps the name and the address of an image, added as an image or as a file', () => {
    const facts = { name: 'plan.png', uri: 'file:///tmp/plan.png' };
    const image = { data: 'AQ==', mediaType: 'image/png', ...facts };

    expect(ToolResult.of().image('AQ==', 'image/png', facts).parts.images).toEqual([image]);
    expect(ToolResult.of().file('AQ==', 'image/png', facts).parts).toMatchObject({
      images: [image],
    });
  });

  it('has its own text instead of JSON, images, and an artifact that no model sees', async () => {
    const result = ToolResult.of({ rows: 3 })
      .text('3 rows')
      .image(new Uint8Array([1, 2]), 'image/png')
      .image('AQ==', 'image/gif')
      .artifact({ secret: 'SECRET' });
    const outcome = await outcomeOf(result);
    const [png, gif] = [
      { data: 'AQI=', mediaType: 'image/png' },
      { data: 'AQ==', mediaType: 'image/gif' },
    ];
    const shown = {
      text: '3 rows',
      structured: { rows: 3 },
      images: [png, gif],
      notes: [],
      isError: false,
    };
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { rows: 3 },
      returnDirect: false,
    });
    expect(outcome).toMatchObject({ artifact: { secret: 'SECRET' } });
    expect(toolMessage(outcome)).toEqual(shown);
  });

  it('of a ToolResult adds to it', async () => {
    const inner = ToolResult.of({ rows: 3 }).text('3 rows').artifact('a');
    expect(await outcomeOf(ToolResult.of(inner).returnDirect())).toMatchObject({
      content: { text: '3 rows', structured: { rows: 3 } },
      artifact: 'a',
      returnDirect: true,
    });
  });

  it.each<[string | Uint8Array, unknown]>([
    ['AQ==', 'text/html'],
    ['AQ==', 'an image/png'],
    ['AQ==', undefined],
    ['AQ==', 'image/png"><x'],
    ['', 'image/png'],
    [new Uint8Array(), 'image/png'],
    ['!!', 'image/png'],
    ['data:image/png;base64,AQ==', 'image/png'],
  ])('an image that no provider would take fails the call: %j %j', async (data, mediaType) => {
    const result = ToolResult.of('text');
    const tools = toolsOf(() => Reflect.apply(result.image, result, [data, mediaType]));
    const message = expect.stringContaining("write image(bytes, 'image/png')");
    const cause = { code: 'definition', message };
    expect(await tools.call(call)).toMatchObject({ status: 'failed', cause });
  });

  it('has files and links in their order, and needs no text for them', async () => {
    const result = ToolResult.of()
      .link('https://a.test/b', { name: 'b', mediaType: 'text/html', size: 9 })
      .file(new Uint8Array([1, 2]), 'application/pdf', { name: 'a.pdf' })
      .file('AQ==', 'text/csv; charset=utf-8', { uri: 'file:///c.csv' })
      .file('AQ==', 'image/png');
    expect(toolMessage(await outcomeOf(result))).toEqual({
      text: '',
      images: [{ data: 'AQ==', mediaType: 'image/png' }],
      files: [
        { kind: 'linked', uri: 'https://a.test/b', name: 'b', mediaType: 'text/html', size: 9 },
        { kind: 'embedded', data: 'AQI=', mediaType: 'application/pdf', name: 'a.pdf' },
        {
          kind: 'embedded',
          data: 'AQ==',
          mediaType: 'text/csv; charset=utf-8',
          uri: 'file:///c.csv',
        },
      ],
      notes: [],
      isError: false,
    });
  });

  it.each<[string, readonly unknown[], string]>([
    ['file', ['', 'application/pdf'], "write file(bytes, 'application/pdf')"],
    ['file', ['no base64!', 'application/pdf'], "write file(bytes, 'application/pdf')"],
    ['file', ['hello', 'text/plain'], 'for text, new TextEncoder().encode(text)'],
    ['file', ['Y', 'text/plain'], 'for text, new TextEncoder().encode(text)'],
    ['file', ['AQ=', 'application/pdf'], "write file(bytes, 'application/pdf')"],
    ['file', ['AQ==', 'pdf'], "write file(bytes, 'application/pdf')"],
    ['file', ['AQ==', 'text/plain\n'], "write file(bytes, 'application/pdf')"],
    ['file', ['AQ==', 'text/plain', { filename: 'a' }], 'filename'],
    ['link', ['b.txt', { name: 'b' }], "write link('https://…', { name })"],
    ['link', [7, { name: 'b' }], "write link('https://…', { name })"],
    ['link', ['https://a.test', {}], 'name'],
    ['link', ['https://a.test', { name: 'b', size: -1 }], 'write an integer, at least 0'],
  ])('a wrong %s fails the call: %j', async (method, args, says) => {
    const result = ToolResult.of('text');
    const tools = toolsOf(() => Reflect.apply(Reflect.get(result, method), result, args));
    const cause = { code: 'definition', message: expect.stringContaining(says) };
    expect(await tools.call(call)).toMatchObject({ status: 'failed', cause });
  });

  it('is immutable; an image needs no text', async () => {
    const plain = ToolResult.of('text');
    plain.text('other');
    expect(toolMessage(await outcomeOf(plain)).text).toBe('text');
    expect(toolMessage(await outcomeOf(ToolResult.of().image('AQ==', 'image/png'))).text).toBe('');
  });

  it('is not confused with data that looks like one', async () => {
    const parts = { parts: { value: 'x', images: [] } };
    expect(toolMessage(await outcomeOf(parts)).structured).toEqual(parts);
  });

  it('goes to the user directly if the tool says so', async () => {
    expect(await outcomeOf('x', { returnDirect: true })).toMatchObject({ returnDirect: true });
  });
});

describe('an output schema', () => {
  const properties = { rows: { type: 'integer' } } as const;
  const outputSchema = { type: 'object', properties, required: ['rows'] } as const;

  it('keeps results that do not fit from the model', async () => {
    expect(await outcomeOf({ rows: 1 }, { outputSchema })).toMatchObject({ status: 'completed' });
    for (const wrong of [{ rows: 'SECRET' }, {}, 'SECRET', undefined]) {
      const outcome = await outcomeOf(wrong, { outputSchema });
      if (outcome.status !== 'failed' || outcome.reason !== 'result')
        throw new Error(outcome.status);
      const { errorId, message, cause } = outcome;
      expect(message).toBe(`work was executed, but its result cannot be shown (error ${errorId}).`);
      expect(cause).toMatchObject({ code: 'output-schema' });
    }
  });

  it('that is unusable is refused when the tool is registered', () => {
    const outside = { type: 'object', properties: { a: { $ref: '#/nowhere' } } } as const;
    const text = { outputSchema: { type: 'string' } } as const;
    expect(() => outcomeOf('', text)).toThrow(
      'work has an outputSchema that is not the schema of an object',
    );
    expect(() => outcomeOf('', { outputSchema: outside })).toThrow('work.outputSchema');
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

  it('accepts what fits, also an instance', async () => {
    const instance = Object.assign(Object.create(Rows.prototype), { rows: [row] });
    for (const fitting of [{ rows: [row] }, { rows: [row], sentTo: 'a@b.org' }, instance])
      expect(await answer(fitting)).toMatchObject({
        status: 'completed',
        content: { structured: fitting },
      });
  });

  it.each([
    ['a wrong type', { rows: [{ name: 'a', count: '1' }] }, 'type at /rows/0/count'],
    ['an undeclared key', { rows: [row], more: 1 }, 'additionalProperties'],
    ['a missing key', {}, 'required'],
    ['what only code refuses', { rows: [] }, 'hasRows at the root'],
    ['another kind of value', [row], 'type at the root'],
    ['nothing', undefined, 'no structured value'],
    ['more than eight faults', { rows: Array(9).fill(0) }, '(type at /rows/0, type at /rows/1, '],
  ])('keeps %s from the model', async (_title, result, why) => {
    const outcome = await answer(result);
    expect(outcome).toMatchObject({ status: 'failed', reason: 'result' });
    const cause = String(outcome.status === 'failed' && outcome.cause);
    expect(cause).toContain(why);
    expect(cause).not.toContain('/rows/8');
  });

  it('is a JSON Schema in the contract, without annotations, for classes and methods', () => {
    @Tool({ description: 'Lists.', outputSchema: Row })
    class List {
      execute(): void {}
    }
    class Arguments {
      @IsString() path!: string;
    }
    class Service {
      @ToolMethod(Arguments, { description: 'Counts.', outputSchema: Row })
      count(): void {}
    }
    @Tool({ description: 'Logs in.', outputSchema: Rows })
    class Login {
      execute(): void {}
    }
    const rowSchema = {
      type: 'object',
      properties: { name: { type: 'string' }, count: { type: 'integer', minimum: 0 } },
      required: ['name', 'count'],
      additionalProperties: false,
    };
    const contracts = [...contractsOf(List), ...contractsOf(Service), ...contractsOf(Login)];
    const [ofClass, ofMethod, ofLogin] = contracts.map(({ execution }) => execution?.outputSchema);
    expect([ofClass, ofMethod]).toEqual([rowSchema, rowSchema]);
    expect(JSON.stringify(ofLogin)).not.toContain('toolmend');
  });

  it('shows its secrets to the model, and not to telemetry', async () => {
    const traced: string[] = [];
    const telemetry: CallTelemetry = {
      async observe(_call, run, endOf) {
        const outcome = await run();
        traced.push(endOf(outcome).content().result ?? 'nothing');
        return outcome;
      },
    };
    const secret = { rows: [row], token: 'c4n4ry' };
    for (const result of [secret, ToolResult.of(secret).text('The token is c4n4ry.')]) {
      const outcome = await outcomeOf(result, { outputSchema: Rows }, { telemetry });
      expect(toolMessage(outcome).text).toContain('c4n4ry');
    }
    const masked = '{"rows":[{"name":"a","count":1}],"token":"(secret)"}';
    expect(traced).toEqual([masked, masked]);
  });

  it('that can’t describe results is refused when the tool is registered', () => {
    class Empty {}
    class FromOutside {
      @FromContext('user') user!: string;
      @IsString() name!: string;
    }
    expect(() => outcomeOf('', { outputSchema: Empty })).toThrow('Empty has no decorated field');
    const problem = 'FromOutside.user is @FromContext in a result class';
    expect(() => outcomeOf('', { outputSchema: FromOutside })).toThrow(problem);
  });
});

describe('result pages', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index} 😀\n`).join('');
  const paged = (execute: ToolDefinition['execute'], maxResultChars = 500, options = {}) => {
    const pages = resultPages({ maxResultChars });
    return toolsOf(execute, options, { interceptors: [pages.interceptor] }).register(pages.tool);
  };
  /** The call that a note asks for. */
  const nextCall = (outcome: ToolOutcome) => {
    const [, name = '', sent = ''] =
      /call (\w+) with (\{.*\})/.exec(toolMessage(outcome).notes[0] ?? '') ?? [];
    return { id: 'call_2', name, arguments: sent };
  };

  it('leave a short result, and one with an output schema, as it is', async () => {
    const short = await paged(() => [1]).call(call);
    expect(toolMessage(short)).toEqual({ text: '[1]', structured: [1], notes: [], isError: false });
    const declaring = paged(() => ({ text: lines }), 100, { outputSchema: { type: 'object' } });
    const declared = await declaring.call(call);
    expect(toolMessage(declared).structured).toEqual({ text: lines });
  });

  it('cut a long result at line ends; the parts together are the whole, and the tool runs once', async () => {
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
    const last = `This is part ${parts.length} of ${parts.length} of the result.`;
    expect(toolMessage(outcome).notes).toEqual([last]);
    expect(runs).toBe(1);
  });

  it('belong to the tenant they were made for, whose pages no other tenant pushes out', async () => {
    const tools = paged(() => lines);
    const next = nextCall(await tools.call(call, { tenant: 'a' }));
    const message = 'That result is no longer kept. Call the tool that gave it again.';
    expect(await tools.call(next, { tenant: 'b' })).toMatchObject({ status: 'failed', message });
    expect((await tools.call({ ...next, arguments: '{"page":"nonsense"}' })).status).toBe('failed');
    const others = await Promise.all(
      Array.from({ length: 17 }, () => tools.call(call, { tenant: 'b' })),
    );
    const [oldest, newest] = [others[0], others.at(-1)];
    if (oldest === undefined || newest === undefined) throw new Error('no outcome');
    expect(await tools.call(nextCall(oldest), { tenant: 'b' })).toMatchObject({ status: 'failed' });
    expect(await tools.call(nextCall(newest), { tenant: 'b' })).toMatchObject({
      status: 'completed',
    });
    expect(await tools.call(next, { tenant: 'a' })).toMatchObject({ status: 'completed' });
  });

  it.each(['failed', 'retry'])('cut the text of a call that ends as %s', async (status) => {
    const thrown = new (status === 'retry' ? ToolRetry : ToolFailure)('x'.repeat(250));
    const tools = paged(thrower(thrown), 100);
    const outcome = await tools.call(call);
    const text = 'x'.repeat(100);
    const notes = [expect.stringContaining('part 1 of 3')];
    expect(toolMessage(outcome)).toEqual({ text, notes, isError: true });
    expect(outcome.status).toBe(status);
    expect(JSON.stringify(outcome)).not.toContain('cause');
    if (outcome.status === 'failed') expect(outcome.cause).toBe(thrown);
    expect(await tools.call(nextCall(outcome))).toMatchObject({
      status: 'completed',
      content: { text },
    });
  });

  it('cut JSON as text, and keep the whole value for the application', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => index);
    const long = await paged(() => rows, 100).call(call);
    expect(toolMessage(long)).toMatchObject({ text: JSON.stringify(rows).slice(0, 100) });
    expect(toolMessage(long)).not.toHaveProperty('structured');
    expect(long).toMatchObject({ result: rows });
  });

  it.each([{ maxResultChars: 99 }, { maxResultChars: 1.5 }, { maxChars: 500 }])(
    'refuse %j',
    (options) => {
      expect(() => Reflect.apply(resultPages, undefined, [options])).toThrow(/^resultPages /);
    },
  );
});

describe('a generator', () => {
  it('reports what it yields, and results in what it returns', async () => {
    const updates: unknown[] = [];
    @Tool({ name: 'work', description: 'Answers.' })
    class Answer {
      async *execute(): AsyncGenerator<number, string> {
        yield 1;
        yield 2;
        return 'done';
      }
    }
    const tools = new ToolRegistry().register(Answer);
    const outcome = await tools.call(call, { progress: (update) => updates.push(update) });
    expect([toolMessage(outcome).text, updates]).toEqual(['done', [1, 2]]);
  });

  it('may be synchronous', async () => {
    const tools = toolsOf(function* () {
      yield 1;
      return 'done';
    });
    expect(toolMessage(await tools.call(call)).text).toBe('done');
  });

  it('that yields without a pause does not block the event loop', async () => {
    const tools = toolsOf(
      async function* (_values: object, { signal }: ToolContext) {
        // The end is for a loop that is never left.
        for (let count = 0; count < 3_000_000 && !signal.aborted; count += 1) yield count;
      },
      { timeoutMs: 20 },
    );
    expect((await tools.call(call)).status).toBe('timed_out');
  });

  it('is closed when the call ends before it', async () => {
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
