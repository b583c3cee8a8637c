import { setTimeout as delay } from 'node:timers/promises';
import { IsInt, IsOptional, IsString } from 'class-validator';
import {
  ArrayOf,
  Describe,
  PathField,
  type RegisteredTool,
  type SchemaObject,
  Secret,
  Tool,
  ToolMethod,
  ToolRegistry,
  contractOf,
  defineTool,
  interpret,
  toolMessage,
  withPrefix,
} from 'toolmend';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { freezeDeep } from '../../src/collections/objects.ts';
import { problemsOf, toolWithFields } from '../classes/sample-tool.ts';
import { closedOf, listOf, objectOf, text, texts } from '../schemas.ts';
import { callTo as callOf, closedTool, statusesOf, toolOf } from '../tools.ts';

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

const named = (name: string) => toolOf(() => name, { name });
const payment = { payment: 'p1' };
const sum = callOf('add_numbers', '{"left":1,"right":2}');

describe('register', () => {
  it('takes classes, providers and defined tools, and runs all of them', async () => {
    const accepted: readonly RegisteredTool[] = [AddNumbers, Payments];
    const tools = new ToolRegistry().register(...accepted).register(named('now'));
    const calls = [sum, callOf('refund', payment), callOf('find_payment', payment), callOf('now')];
    const said = (await tools.callAll(calls)).map((outcome) => toolMessage(outcome).text);
    expect(said).toEqual(['3', 'refunded p1', 'found p1', 'now']);
    expect(new ToolRegistry().schemas()).toEqual([]);
  });

  it('refuses two tools with the same name, or with names that are spelled alike', () => {
    const tools = new ToolRegistry().register(named('read_file'), Payments, AddNumbers);
    const same = ['readFile', 'refund', 'add_numbers'].map(named);
    expect(problemsOf(() => tools.register(...same))).toEqual([
      'the tool readFile is named readFile, and the tool read_file is named read_file, which is spelled alike: give one of them another name.',
      'the tool refund and Payments.refund are both named refund: give one of them another name.',
      'the tool add_numbers and AddNumbers are both named add_numbers: give one of them another name.',
    ]);
    expect(problemsOf(() => tools.register(Payments))).toHaveLength(2);
  });

  it('reports all problems of one call at once, and then adds nothing', () => {
    class Nothing {}
    class Wrong {
      @ArrayOf(String) words!: string[];
    }
    const unbound = contractFromSchema({ name: 'unbound', inputSchema: { type: 'object' } });
    const broken = toolOf(() => 1, {
      name: 'broken',
      inputSchema: objectOf({ a: { pattern: '(' } }),
    });
    const tools = new ToolRegistry();
    const given = [AddNumbers, Nothing, Wrong, unbound, broken, AddNumbers];
    const problems = problemsOf(() => tools.register(...given));
    expect(problems.map((problem) => problem.replace(/ \(.*\)/, ' (…)'))).toEqual([
      'Nothing is not a tool: write @Tool({ description }) on the class, or @ToolMethod on a method.',
      'Wrong is not a tool: write @Tool({ description }) on the class, or @ToolMethod on a method.',
      'unbound has nothing to execute: make it with defineTool({ …, execute }).',
      "broken has an input schema that can't be compiled (…): write valid JSON Schema 2020-12.",
      'AddNumbers is registered twice: register it once.',
    ]);
    expect(tools.schemas()).toEqual([]);
  });

  it('names each argument that is not a tool, and says what to pass', () => {
    const tools = new ToolRegistry();
    const passed = [null, {}, [], 'AddNumbers', 7, undefined, new AddNumbers()];
    const register = (): unknown => Reflect.apply(tools.register, tools, [named('now'), ...passed]);
    const instead = 'pass the class itself, or what defineTool returned.';
    expect(problemsOf(register)).toEqual([
      `argument 2 of register is null: ${instead}`,
      `argument 3 of register is an object that is not a contract: ${instead}`,
      `argument 4 of register is a list: ${instead}`,
      `argument 5 of register is a string: ${instead}`,
      `argument 6 of register is a number: ${instead}`,
      'argument 7 of register is undefined: pass a class or what defineTool returned; an imported class is undefined if its imports form a cycle.',
      `argument 8 of register is an instance of AddNumbers: ${instead}`,
    ]);
    expect(tools.schemas()).toEqual([]);
  });
});

describe('defineTool', () => {
  it('makes a frozen contract and changes no option', () => {
    const facts = { name: 'now', hints: ['Call it once.'], effects: 'read' } as const;
    const options = freezeDeep({ ...facts, description: 'Now.', inputSchema: objectOf({}) });
    const contract = defineTool(Object.freeze({ ...options, execute: () => 1 }));
    expect(Object.isFrozen(contract)).toBe(true);
    expect(contract).toMatchObject({ ...facts, repair: 'all' });
  });

  it('keeps `this` of the definition', async () => {
    class Clock {
      readonly name = 'clock';
      readonly description = 'The time.';
      readonly inputSchema = { type: 'object' } as const;
      readonly #zone = 'UTC';
      execute(): string {
        return this.#zone;
      }
    }
    const tools = new ToolRegistry().register(defineTool(new Clock()));
    expect(await tools.call(callOf('clock'))).toMatchObject({ result: 'UTC' });
  });
});

describe('schemas', () => {
  it('neutral: name, description with hints, and the schema without annotations', () => {
    const fields = { paths: [ArrayOf(String), PathField(), Describe('Where they are.')] };
    const ReadFiles = toolWithFields('ReadFiles', fields);
    const inputSchema = closedOf({ paths: { ...texts, description: 'Where they are.' } }, [
      'paths',
    ]);
    const description = expect.stringMatching(/^A tool for a test\.\n/);
    const schemas = new ToolRegistry().register(ReadFiles).schemas();
    expect(schemas).toEqual([{ name: 'read_files', description, inputSchema }]);
    expect(JSON.stringify(contractOf(ReadFiles).inputSchema)).toContain('x-toolmend');
  });

  it('a property, default or constant that is named like an annotation is data and stays', () => {
    const properties = {
      'x-toolmend': { properties: { 'dirge-hints': { enum: ['x-toolmend'] } } },
    };
    const data = { default: [{ 'x-toolmend': 1 }], const: { 'x-toolmend': 2 } };
    const path = { ...text, 'x-toolmend': { semantic: 'path' } } as const;
    const part = { anyOf: [{ 'x-toolmend': { verbatim: true }, ...data }] };
    const schemaWith = (items: SchemaObject, more: SchemaObject): SchemaObject =>
      objectOf({ ...properties, list: listOf(items, data) }, [], more);
    const inputSchema = schemaWith(path, { 'dirge-hints': { semantic: 'none' }, $defs: { part } });
    const [shown] = new ToolRegistry().register(toolOf(() => 1, { inputSchema })).schemas();
    expect(shown?.inputSchema).toEqual(schemaWith(text, { $defs: { part: { anyOf: [data] } } }));
  });

  it.each(['antropic', 'toString', '__proto__'])(
    '%s is not a provider; the error names those',
    (name) => {
      const tools = new ToolRegistry();
      expect(problemsOf(() => Reflect.apply(tools.schemas, tools, [name]))).toEqual([
        `ToolRegistry.schemas has no provider "${name}": ask for one of neutral, openai, openai-strict, openai-responses, openai-responses-strict, anthropic, anthropic-strict, gemini, gemini-openapi, bedrock, bedrock-strict, mistral, deepseek-strict, grammar, ollama, mcp.`,
      ]);
    },
  );

  it('are in the order of registration, deeply frozen, and the same bytes and objects every time', () => {
    const register = () => new ToolRegistry().register(named('zeta'), AddNumbers, named('alpha'));
    const tools = register();
    const first = tools.schemas('openai');
    expect(first.map((schema) => schema.function.name)).toEqual(['zeta', 'add_numbers', 'alpha']);
    expect(tools.schemas('openai')[1]).toBe(first[1]);
    expect(JSON.stringify(register().schemas('openai'))).toBe(JSON.stringify(first));
    expect(Object.isFrozen(first[1]?.function.parameters.properties)).toBe(true);
    tools.register(named('omega'));
    expect([tools.schemas().length, first.length]).toEqual([4, 3]);
  });
});

it('interpret returns what call would execute, and executes nothing', () => {
  const tools = new ToolRegistry().register(AddNumbers);
  const call = callOf('add_numbers', '{"left":"1","right":2}');
  const contract = contractOf(AddNumbers);
  const interpreted = tools.interpret(call);
  expect(interpreted).toMatchObject({ status: 'accepted', tool: 'add_numbers', call, contract });
  expect(interpreted).toMatchObject({ interpretation: interpret(contract, call) });
});

describe('callAs', () => {
  const echo = closedTool('echo', (values) => values['text'], { text });

  it('calls a known tool, under the name that it has in the set', async () => {
    const tools = new ToolRegistry().register(AddNumbers, ...withPrefix('my_', echo));
    const added = await tools.callAs(AddNumbers, {
      id: '1',
      arguments: '{"left": 1, "right": "2"}',
    });
    expect(added).toMatchObject({ status: 'completed', tool: 'add_numbers', result: 3 });
    const said = await tools.callAs(echo, { id: '2', arguments: { text: 'a' } });
    expect(said).toMatchObject({ status: 'completed', tool: 'my_echo', result: 'a' });
  });

  it('refuses a tool that is not in the set', async () => {
    const tools = new ToolRegistry().register(AddNumbers);
    await expect(tools.callAs(echo, { id: '1', arguments: {} })).rejects.toThrow(
      'ToolRegistry.callAs was given echo, which is not in the set: register it first.',
    );
  });
});

describe('instances', () => {
  it('keep the fields of concurrent calls apart', async () => {
    @Tool({ description: 'Waits.' })
    class Wait {
      @IsInt() number!: number;
      execute(): Promise<number> {
        return delay(5 - (this.number % 5), this.number);
      }
    }
    const numbers = Array.from({ length: 50 }, (_, number) => number);
    const calls = numbers.map((number) => callOf('wait', { number }));
    const outcomes = await new ToolRegistry().register(Wait).callAll(calls);
    expect(outcomes).toMatchObject(numbers.map((result) => ({ status: 'completed', result })));
  });

  it('are created with the class, the call and the context of the call', async () => {
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

  it('can’t serve two calls; the first one is not disturbed', async () => {
    const only = new AddNumbers();
    const registry = new ToolRegistry({ create: () => only }).register(AddNumbers);
    const calls = [sum, { ...sum, arguments: { left: 9, right: 9 } }];
    const message = 'create gave the same AddNumbers to two calls: make one a call';
    expect(await registry.callAll(calls)).toMatchObject([
      { status: 'completed', result: 3 },
      { status: 'failed', reason: 'exception', cause: { code: 'instance-reused', message } },
    ]);
    expect(only).toEqual({ left: 1, right: 2 });
  });

  it('of a provider of tool methods can serve all calls', async () => {
    const only = new Payments();
    const registry = new ToolRegistry({ create: () => only }).register(Payments);
    const names = ['refund', 'refund', 'find_payment'];
    const calls = names.map((name) => registry.call(callOf(name, payment)));
    expect(await statusesOf(calls)).toEqual(['completed', 'completed', 'completed']);
  });

  it.each([
    ['nothing', () => JSON.parse('null'), 'no-instance'],
    ['an object of another class', () => new RefundArguments(), 'no-method'],
  ])('create that returns %s fails the call', async (_title, create, code) => {
    const outcome = await new ToolRegistry({ create }).register(AddNumbers).call(sum);
    expect(outcome).toMatchObject({ status: 'failed', cause: { code } });
  });
});
