// Which tools does a registry take, what does it show of them, and who makes the instances?
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  ArrayOf,
  DefinitionError,
  Describe,
  PathField,
  type RegisteredTool,
  Secret,
  Tool,
  type ToolCall,
  ToolMethod,
  ToolRegistry,
  ToolmendError,
  contractOf,
  defineTool,
  interpret,
  standardMetaArguments,
  toolMessage,
} from 'toolmend';
import { contractFromSchema } from '../../src/tool/from-schema.ts';

@Tool({ description: 'Adds two numbers.', effects: 'read' })
class AddNumbers {
  @IsInt() left!: number;
  @IsInt() right!: number;

  execute(): number {
    return this.left + this.right;
  }
}

class RefundArguments {
  @IsString() payment!: string;
  @IsOptional() @IsString() @Secret() pin?: string;
}

class Payments {
  @ToolMethod(RefundArguments, { description: 'Refunds a payment.' })
  refund({ payment }: RefundArguments): string {
    return `refunded ${payment}`;
  }

  @ToolMethod(RefundArguments, { description: 'Finds a payment.', name: 'find_payment' })
  find({ payment }: RefundArguments): string {
    return `found ${payment}`;
  }
}

const emptySchema = { type: 'object', properties: {} } as const;
const named = (name: string) =>
  defineTool({ name, description: 'Does it.', inputSchema: emptySchema, execute: () => name });

const callOf = (name: string, sent: unknown = '{}'): ToolCall => ({ id: 'call_1', name, arguments: sent });

function problemsOf(define: () => unknown): readonly string[] {
  try {
    define();
  } catch (error) {
    if (error instanceof DefinitionError) {
      return error.problems.map(({ where, what, instead }) => `${where} ${what}: ${instead}.`);
    }
    throw error;
  }
  return [];
}

describe('register', () => {
  it('takes classes, providers and defined tools, and runs all of them', async () => {
    const tools = new ToolRegistry().register(AddNumbers, Payments).register(named('now'));
    const results = [
      await tools.call(callOf('add_numbers', '{"left":1,"right":2}')),
      await tools.call(callOf('refund', { payment: 'p1' })),
      await tools.call(callOf('find_payment', { payment: 'p1' })),
      await tools.call(callOf('now')),
    ];
    expect(results.map((outcome) => toolMessage(outcome).text)).toEqual([
      '3',
      'refunded p1',
      'found p1',
      'now',
    ]);
  });

  it('two registries know nothing of each other', () => {
    const [one, other] = [new ToolRegistry().register(AddNumbers), new ToolRegistry()];
    expect(one.schemas()).toHaveLength(1);
    expect(other.schemas()).toEqual([]);
  });

  it('refuses two tools of one name, and two that are spelled alike, and names both', () => {
    @Tool({ description: 'The same.', name: 'add_numbers' })
    class AddAgain {
      @IsInt() left!: number;
      execute(): void {}
    }
    expect(problemsOf(() => new ToolRegistry().register(AddNumbers, AddAgain))).toEqual([
      'AddAgain and AddNumbers are both named add_numbers: give one of them another name.',
    ]);
    const tools = new ToolRegistry().register(named('read_file'), Payments);
    expect(problemsOf(() => tools.register(named('readFile'), named('refund')))).toEqual([
      'the tool readFile is named readFile, and the tool read_file is named read_file, which is spelled alike: give one of them another name.',
      'the tool refund and Payments.refund are both named refund: give one of them another name.',
    ]);
    expect(problemsOf(() => tools.register(Payments))).toHaveLength(2);
  });

  it('tells all problems of one call at once, and then adds nothing', () => {
    class Nothing {}
    class Wrong {
      @ArrayOf(String) words!: string[];
    }
    const unbound = contractFromSchema({ name: 'unbound', inputSchema: emptySchema });
    const broken = defineTool({
      name: 'broken',
      description: 'Has a pattern that is none.',
      inputSchema: { type: 'object', properties: { a: { pattern: '(' } } },
      execute: () => 1,
    });
    const tools = new ToolRegistry();
    const problems = problemsOf(() =>
      tools.register(AddNumbers, Nothing, Wrong, unbound, broken, AddNumbers),
    );
    expect(problems.map((problem) => problem.replace(/ \(.*\)/, ' (…)'))).toEqual([
      'Nothing is not a tool: write @Tool({ description }) on the class, or @ToolMethod on a method.',
      'Wrong is not a tool: write @Tool({ description }) on the class, or @ToolMethod on a method.',
      'unbound has nothing to execute: make it with defineTool({ …, execute }).',
      "broken has an input schema that can't be compiled (…): write valid JSON Schema 2020-12.",
      'AddNumbers and AddNumbers are both named add_numbers: give one of them another name.',
    ]);
    expect(tools.schemas()).toEqual([]);
  });

  it('says what to pass where something else was passed, and adds nothing', () => {
    const tools = new ToolRegistry();
    const passed: RegisteredTool[] = [];
    // What the types forbid, as JavaScript passes it.
    passed.push(...JSON.parse('[null, {}, [], "AddNumbers", 7]'));
    Reflect.set(passed, 5, undefined);
    Reflect.set(passed, 6, new AddNumbers());
    expect(problemsOf(() => tools.register(named('now'), ...passed))).toEqual([
      'argument 2 of register is null: pass the class itself, or what defineTool returned.',
      'argument 3 of register is an object that is not a contract: pass the class itself, or what defineTool returned.',
      'argument 4 of register is a list: pass the class itself, or what defineTool returned.',
      'argument 5 of register is a string: pass the class itself, or what defineTool returned.',
      'argument 6 of register is a number: pass the class itself, or what defineTool returned.',
      'argument 7 of register is undefined: pass a class or what defineTool returned; an imported class is undefined if its imports form a cycle.',
      'argument 8 of register is an instance of AddNumbers: pass the class itself, or what defineTool returned.',
    ]);
    expect(tools.schemas()).toEqual([]);
  });

  it('refuses a constructor that needs something, unless the application makes the instances', async () => {
    @Tool({ description: 'Needs a store.' })
    class NeedsStore {
      constructor(readonly store: { readonly name: string }) {}

      execute(): string {
        return this.store.name;
      }
    }
    expect(problemsOf(() => new ToolRegistry().register(NeedsStore))).toEqual([
      'NeedsStore has a constructor with 1 parameter, which would be undefined: give the registry create: (Class, call) => …, for example with your container.',
    ]);
    const create = async (): Promise<NeedsStore> => new NeedsStore({ name: 'main store' });
    const outcome = await new ToolRegistry({ create }).register(NeedsStore).call(callOf('needs_store'));
    expect(toolMessage(outcome).text).toBe('main store');
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    '%s is a tool only where one has that name',
    async (name) => {
      expect((await new ToolRegistry().register(named('now')).call(callOf(name))).status).toBe(
        'unknown_tool',
      );
      const outcome = await new ToolRegistry().register(named(name)).call(callOf(name));
      expect(outcome).toMatchObject({ status: 'completed', result: name });
    },
  );
});

describe('defineTool', () => {
  it('makes a frozen contract and writes to no option', () => {
    const definition = Object.freeze({
      name: 'now',
      description: 'The time.',
      inputSchema: Object.freeze({ type: 'object', properties: Object.freeze({}) } as const),
      hints: Object.freeze(['Call it once.']),
      effects: 'read',
      execute: () => 1,
    } as const);
    const contract = defineTool(definition);
    expect(Object.isFrozen(contract)).toBe(true);
    expect(contract).toMatchObject({ name: 'now', effects: 'read', repair: 'all', hints: ['Call it once.'] });
  });

  it('tells all problems at once', () => {
    const definition = JSON.parse(
      '{"name":"is now","description":" ","inputSchema":{"type":"array"},"effects":"reads","timeoutMs":0}',
    );
    expect(problemsOf(() => defineTool(definition)).map((problem) => problem.split(':')[0])).toEqual([
      'is now has " " for description',
      'is now has "reads" for effects',
      'is now has 0 for timeoutMs',
      'is now has no execute',
      'is now has the name "is now", which some providers refuse',
      'is now has an input schema that is not the schema of an object',
    ]);
  });

  it('keeps what its author binds to this', async () => {
    class Clock {
      readonly name = 'clock';
      readonly description = 'The time.';
      readonly inputSchema = emptySchema;
      readonly #zone = 'UTC';

      execute() {
        return this.#zone;
      }
    }
    expect(await new ToolRegistry().register(defineTool(new Clock())).call(callOf('clock'))).toMatchObject({
      result: 'UTC',
    });
  });
});

describe('schemas', () => {
  @Tool({ description: 'Reads files.' })
  class ReadFiles {
    @ArrayOf(String) @PathField() @Describe('Where they are.') paths!: string[];
    execute(): void {}
  }
  const foreign = {
    type: 'object',
    'dirge-hints': { semantic: 'none' },
    properties: {
      file: { type: 'string', 'x-dirge-kind': 'path', 'dirge-hints': { semantic: 'workspace_path' } },
      'x-toolmend': { type: 'object', properties: { 'dirge-hints': { enum: ['x-toolmend'] } } },
      list: {
        type: 'array',
        items: { 'x-toolmend': { semantic: 'path' }, type: 'string' },
        default: [{ 'x-toolmend': 1 }],
      },
    },
    $defs: { part: { anyOf: [{ 'x-toolmend': { verbatim: true }, const: { 'x-toolmend': 2 } }] } },
  } as const;

  it('neutral: name, description with hints, and the schema without annotations', () => {
    const [schema] = new ToolRegistry().register(ReadFiles).schemas();
    expect(schema).toEqual({
      name: 'read_files',
      description: expect.stringMatching(/^Reads files\.\n/),
      inputSchema: {
        type: 'object',
        properties: { paths: { type: 'array', items: { type: 'string' }, description: 'Where they are.' } },
        required: ['paths'],
        additionalProperties: false,
      },
    });
    expect(contractOf(ReadFiles).inputSchema.properties).toHaveProperty('paths');
    expect(JSON.stringify(contractOf(ReadFiles).inputSchema)).toContain('x-toolmend');
  });

  it('a property, a default or a constant of such a name is data and stays', () => {
    const tool = defineTool({
      name: 'foreign',
      description: 'Foreign.',
      inputSchema: foreign,
      execute: () => 1,
    });
    expect(new ToolRegistry().register(tool).schemas()[0]?.inputSchema).toEqual({
      type: 'object',
      properties: {
        file: { type: 'string' },
        'x-toolmend': { type: 'object', properties: { 'dirge-hints': { enum: ['x-toolmend'] } } },
        list: { type: 'array', items: { type: 'string' }, default: [{ 'x-toolmend': 1 }] },
      },
      $defs: { part: { anyOf: [{ const: { 'x-toolmend': 2 } }] } },
    });
  });

  it('openai: function tools for Chat Completions, not strict', () => {
    const [neutral] = new ToolRegistry().register(AddNumbers).schemas();
    expect(new ToolRegistry().register(AddNumbers).schemas('openai')).toEqual([
      {
        type: 'function',
        function: {
          name: 'add_numbers',
          description: neutral?.description,
          parameters: neutral?.inputSchema,
          strict: false,
        },
      },
    ]);
  });

  it.each(['antropic', 'toString', '__proto__'])(
    'refuses the provider %s, and names those there are',
    (name) => {
      const tools = new ToolRegistry();
      const schemas = (): unknown => Reflect.apply(tools.schemas, tools, [name]);
      expect(problemsOf(schemas)).toEqual([
        `ToolRegistry.schemas has no provider "${name}": ask for one of neutral, openai, openai-strict, openai-responses, openai-responses-strict, anthropic, anthropic-strict, gemini, gemini-openapi, bedrock, mistral, ollama, mcp.`,
      ]);
    },
  );

  it('are in the order of registration, frozen to the bottom, the same bytes and objects every time', () => {
    const tools = new ToolRegistry().register(named('zeta'), AddNumbers, named('alpha'));
    const [first, again] = [tools.schemas('openai'), tools.schemas('openai')];
    expect(first.map((schema) => schema.function.name)).toEqual(['zeta', 'add_numbers', 'alpha']);
    expect(again[1]).toBe(first[1]);
    expect(
      JSON.stringify(
        new ToolRegistry().register(named('zeta'), AddNumbers, named('alpha')).schemas('openai'),
      ),
    ).toBe(JSON.stringify(first));
    expect(Object.isFrozen(first[1]?.function.parameters.properties)).toBe(true);
    tools.register(named('omega'));
    expect([tools.schemas().length, first.length]).toEqual([4, 3]);
  });

  it('meta arguments are shown where the registry switches them on, taken out, and handed over', async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: 'note',
      description: 'Notes.',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' }, _rationale: { type: 'string' } },
        required: ['_rationale'],
        additionalProperties: false,
      },
      execute: (values, { meta }) => void seen.push(values, meta),
    });
    const tools = new ToolRegistry({ meta: standardMetaArguments }).register(tool);
    expect(tools.schemas()[0]?.inputSchema).toMatchObject({
      properties: {
        text: { type: 'string' },
        _rationale: { type: 'string' },
        _timeout_seconds: { type: 'integer' },
        _background: { type: 'boolean' },
      },
      required: ['_rationale'],
    });
    const outcome = await tools.call(callOf('note', '{"_rationale":"why","text":"a","_timeout_seconds":5}'));
    expect(outcome).toMatchObject({ status: 'completed', interpretation: { status: 'unchanged' } });
    expect(seen).toEqual([{ text: 'a' }, { rationale: 'why', timeout_seconds: 5 }]);
    expect((await tools.call(callOf('note', '{"text":"a"}'))).status).toBe('invalid_arguments');
    expect(new ToolRegistry().register(named('plain')).schemas()[0]?.inputSchema).toEqual(emptySchema);
    expect(Object.isFrozen(standardMetaArguments[0]?.schema)).toBe(false);
  });
});

describe('interpret', () => {
  const tools = new ToolRegistry().register(AddNumbers);

  it('says what call would execute, and executes nothing', () => {
    const call = callOf('add_numbers', '{"left":"1","right":2}');
    const interpreted = tools.interpret(call);
    expect(interpreted).toMatchObject({
      status: 'accepted',
      tool: 'add_numbers',
      call,
      contract: contractOf(AddNumbers),
    });
    expect(interpreted.status === 'accepted' && interpreted.interpretation).toEqual(
      interpret(contractOf(AddNumbers), call),
    );
  });

  it('a name that differs in case and separators only is the tool; the outcome says its own name', async () => {
    for (const name of ['AddNumbers', 'add-numbers', 'ADD.NUMBERS', ' add_numbers\n', 'addnumbers']) {
      const outcome = await tools.call(callOf(name, '{"left":1,"right":2}'));
      expect(outcome).toMatchObject({ status: 'completed', tool: 'add_numbers', call: { name } });
    }
  });

  it('a name that is only like one is not, and the model reads which are near', async () => {
    const outcome = await tools.call(callOf('add_number', '{"left":1,"right":2}'));
    expect(outcome).toMatchObject({ status: 'unknown_tool', suggestions: ['add_numbers'] });
    expect(toolMessage(outcome)).toEqual({
      text: 'add_number was not executed.\nThere is no tool of this name. Did you mean add_numbers?\nThe tools are: add_numbers.',
      notes: [],
      isError: true,
    });
  });

  it('a rejected call is not executed; the model reads why', async () => {
    const outcome = await tools.call(callOf('add_numbers', '{"left":"one","right":2}'));
    expect(outcome).toMatchObject({
      status: 'invalid_arguments',
      tool: 'add_numbers',
      interpretation: { status: 'rejected' },
    });
    expect(toolMessage(outcome).text).toMatch(/^add_numbers was not executed\./);
  });
});

describe('instances', () => {
  const tools = (create: () => object): ToolRegistry => new ToolRegistry({ create }).register(AddNumbers);
  const sum = callOf('add_numbers', '{"left":1,"right":2}');

  it('concurrent calls keep their fields apart', async () => {
    @Tool({ description: 'Waits.' })
    class Wait {
      @IsInt() number!: number;

      async execute(): Promise<number> {
        await new Promise((resolve) => setTimeout(resolve, 5 - (this.number % 5)));
        return this.number;
      }
    }
    const registry = new ToolRegistry().register(Wait);
    const numbers = Array.from({ length: 50 }, (_, number) => number);
    const outcomes = await Promise.all(numbers.map((number) => registry.call(callOf('wait', { number }))));
    expect(outcomes.map((outcome) => outcome.status === 'completed' && outcome.result)).toEqual(numbers);
  });

  it('create gets the class, the call and the values of the call', async () => {
    const asked: unknown[] = [];
    const registry = new ToolRegistry({
      context: { tenant: 't1', region: 'eu' },
      create: (Class, call, values) => {
        asked.push(Class, call, { ...values });
        return Reflect.construct(Class, []);
      },
    }).register(AddNumbers);
    await registry.call(sum, { context: { tenant: 't2' } });
    expect(asked).toEqual([AddNumbers, sum, { tenant: 't2', region: 'eu' }]);
  });

  it('the same object for two calls is refused, and the first is not disturbed', async () => {
    const only = new AddNumbers();
    const registry = tools(() => only);
    const [first, second] = await Promise.all([
      registry.call(sum),
      registry.call({ ...sum, arguments: { left: 9, right: 9 } }),
    ]);
    expect(first).toMatchObject({ status: 'completed', result: 3 });
    expect(second).toMatchObject({ status: 'failed', reason: 'exception' });
    const cause = second.status === 'failed' && second.cause;
    expect(ToolmendError.isInstance(cause) && [cause.code, cause.message]).toEqual([
      'instance-reused',
      'create gave the same AddNumbers to two calls: make one a call',
    ]);
    expect(only).toEqual({ left: 1, right: 2 });
  });

  it('a provider of tool methods may be one for all calls', async () => {
    const only = new Payments();
    const registry = new ToolRegistry({ create: () => only }).register(Payments);
    const payment = { payment: 'p1' };
    const outcomes = await Promise.all(
      ['refund', 'refund', 'find_payment'].map((name) => registry.call(callOf(name, payment))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  });

  it.each([
    ['nothing', () => JSON.parse('null'), 'no-instance'],
    ['an object of another class', () => new RefundArguments(), 'no-method'],
  ])('%s is a failed call, with the reason for the developer', async (_title, create, code) => {
    const outcome = await tools(create).call(sum);
    if (outcome.status !== 'failed') throw new Error(outcome.status);
    expect(outcome.cause).toMatchObject({ code });
  });
});

it('types: register takes classes, and what is no class or contract is refused by the compiler', () => {
  const accepted: readonly RegisteredTool[] = [AddNumbers, Payments, named('now')];
  expect(accepted).toHaveLength(3);
});
