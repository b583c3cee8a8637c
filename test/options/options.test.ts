import { IsString } from 'class-validator';
import { Client } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import {
  CallMemory,
  contractsOf,
  defineTool,
  interpret,
  interpretArguments,
  standardMetaArguments,
  Field,
  standardSchema,
  Tool,
  ToolCallCollector,
  ToolMethod,
  ToolRegistry,
  ToolRun,
} from 'toolmend';
import { toAiSdk } from 'toolmend/ai-sdk';
import { anthropicMessages } from 'toolmend/anthropic';
import { toLangChain } from 'toolmend/langchain';
import { registerRemoteTools, serveTools } from 'toolmend/mcp';
import { ToolmendModule } from 'toolmend/nestjs';
import { chatCompletions, responses } from 'toolmend/openai';
import { openTelemetry } from 'toolmend/opentelemetry';
import { brokenCalls } from 'toolmend/testing';
import { problemsOf as thrownProblems, toolWithField } from '../classes/sample-tool.ts';
import { objectOf } from '../schemas.ts';
import { callTo, thrower } from '../tools.ts';

const definition = {
  name: 'find',
  description: 'Finds.',
  inputSchema: objectOf({}),
  execute: () => 1,
};
const find = defineTool(definition);
const tools = new ToolRegistry().register(find);
const call = callTo('find');

class Arguments {
  @IsString() path!: string;
}

/** The tools of a class with `@Tool` or `@ToolMethod`. */
function toolsOf(
  decorator: typeof Tool | typeof ToolMethod,
  ...options: readonly unknown[]
): unknown {
  class Files {
    execute(): void {}
  }
  const decorate: unknown = Reflect.apply(decorator, undefined, options);
  const onMethod = ['execute', Object.getOwnPropertyDescriptor(Files.prototype, 'execute')];
  const target = decorator === Tool ? [Files] : [Files.prototype, ...onMethod];
  if (typeof decorate === 'function') Reflect.apply(decorate, undefined, target);
  return contractsOf(Files);
}

/**
 * Calls a function with options after what is given, without the types: options are read from files
 * too.
 */
const passing =
  (run: (...args: never[]) => unknown, ...args: readonly unknown[]) =>
  (options: unknown): unknown =>
    Reflect.apply(run, undefined, [...args, options]);

const takers = {
  ToolRegistry: (options: unknown) => Reflect.construct(ToolRegistry, [options]),
  'ToolRegistry.call': passing(tools.call.bind(tools), call),
  'ToolRegistry.interpret': passing(tools.interpret.bind(tools), call),
  'ToolRegistry.history': passing(tools.history.bind(tools), tools.interpret(call)),
  'ToolRegistry.wouldRequireApproval': passing(tools.wouldRequireApproval.bind(tools), call),
  'ToolRegistry.select': passing(tools.select.bind(tools)),
  'ToolRegistry.close': (options: unknown) =>
    Reflect.apply(tools.close, new ToolRegistry(), [options]),
  ToolRun: (options: unknown) => Reflect.construct(ToolRun, [options]),
  CallMemory: (options: unknown) => Reflect.construct(CallMemory, [options]),
  ToolCallCollector: (options: unknown) => Reflect.construct(ToolCallCollector, [options]),
  interpret: passing(interpret, find, call),
  interpretArguments: passing(interpretArguments, { type: 'object' }, { value: {} }),
  standardSchema: passing(standardSchema, find),
  openTelemetry: passing(openTelemetry),
  toAiSdk: passing(toAiSdk, tools),
  anthropicMessages: passing(anthropicMessages, tools),
  chatCompletions: passing(chatCompletions, tools),
  responses: passing(responses, tools),
  toLangChain: passing(toLangChain, tools),
  serveTools: passing(serveTools, new McpServer({ name: 'own', version: '1' }), tools),
  registerRemoteTools: passing(
    registerRemoteTools,
    tools,
    new Client({ name: 'own', version: '1' }),
  ),
  'ToolmendModule.forFeature': passing(ToolmendModule.forFeature.bind(ToolmendModule), []),
  'toolmend/testing': passing(brokenCalls, find),
} satisfies Record<string, (options: unknown) => unknown>;

/** The lines of the DefinitionError that is thrown, at once or as a rejection. */
const problemsOf = async (make: () => unknown): Promise<readonly string[]> => {
  const error: unknown = await (async () => void (await make()))().catch(
    (thrownError: unknown) => thrownError,
  );
  return error === undefined ? [] : thrownProblems(thrower(error));
};

const takes = 'write a function that takes';
const atLeast0 = 'write milliseconds, at least 0 and at most 2147483647';
const positive = 'write milliseconds, more than 0 and at most 2147483647';
const names = Object.keys(takers).filter((name): name is keyof typeof takers => name in takers);

describe.each(names)('%s', (name) => {
  test('takes an object of options', async () => {
    for (const options of [null, 'all', [1]]) {
      const preview = Array.isArray(options) ? 'an array' : JSON.stringify(options);
      const problem = `${name} was given ${preview} for its options: write an object.`;
      expect(await problemsOf(() => takers[name](options))).toEqual([problem]);
    }
  });

  test('refuses an unknown option', async () => {
    const problem = expect.stringContaining(`${name} has no option "$nothing": `);
    expect(await problemsOf(() => takers[name]({ $nothing: 1 }))).toEqual([problem]);
  });
});

test.each(names.filter((name) => name !== 'registerRemoteTools' && name !== 'toolmend/testing'))(
  'an option that is undefined is absent: %s',
  async (name) => {
    expect(
      await problemsOf(() => takers[name]({ context: undefined, nothing: undefined })),
    ).toEqual([]);
  },
);

/** Options and the problems that are reported of them. */
const rows: {
  readonly [Name in keyof typeof takers]?: readonly (readonly [object, ...unknown[]])[];
} = {
  ToolRegistry: [
    [
      { create: 3 },
      'has 3 for create: write a function that returns an instance, (Class) => new Class(…)',
    ],
    [{ listeners: {} }, 'has an object for listeners: write an array of listeners'],
    [{ listeners: [{}, 5] }, 'has 5 for listeners[1]: write a listener, { onEvent(event) { … } }'],
    [
      { interceptors: 5 },
      'has 5 for interceptors: write an array of functions, [(call, next) => next()]',
    ],
    [
      { approval: true },
      'has true for approval: write {} to ask about destructive tools, or { needed }',
    ],
    [{ approval: { need: 1 } }, 'has no option "approval.need": write needed'],
    [{ approval: { expiresAfter: 0 } }, `has 0 for approval.expiresAfter: ${positive}`],
    [{ meta: 'x' }, 'has "x" for meta: write standardMetaArguments, or an array of meta arguments'],
    [
      { meta: [{ ...standardMetaArguments[0], alias: [] }] },
      'has no option "meta[0].alias": write aliases',
    ],
    [{ pins: 1 }, 'has 1 for pins: write what digests() returned'],
    [
      { telemetry: {} },
      "has an object for telemetry: write openTelemetry() of 'toolmend/opentelemetry'",
    ],
    [
      { hints: 'on' },
      'has "on" for hints: write \'off\', or { longest } with a number of characters',
    ],
    [{ hints: { longest: -1 } }, 'has -1 for hints.longest: write an integer, at least 0'],
    [{ concurrencyLimit: 0 }, 'has 0 for concurrencyLimit: write an integer, at least 1'],
    [{ queueLimit: 1.5 }, 'has 1.5 for queueLimit: write an integer, at least 0'],
    [
      { pins: 1, listener: [], timeoutms: 5 },
      'has 1 for pins: write what digests() returned',
      'has no option "listener": write listeners',
      'has no option "timeoutms": write timeoutMs',
    ],
    [
      { constructor: 1 },
      expect.stringContaining('has no option "constructor": the options are create, '),
    ],
  ],
  'ToolRegistry.call': [
    [{ timeoutMs: Number.NaN }, `has NaN for timeoutMs: ${positive}`],
    [
      { signal: {} },
      'has an object for signal: write an AbortSignal, the signal of an AbortController',
    ],
    [{ parent: 5 }, 'has 5 for parent: write the context that the calling tool received'],
    [{ run: {} }, 'has an object for run: write a ToolRun, new ToolRun()'],
    [{ memory: {} }, 'has an object for memory: write a CallMemory, new CallMemory()'],
    [{ progress: 'x' }, 'has "x" for progress: write a function that takes an update'],
    [{ context: [] }, 'has an array for context: write an object of values by name'],
    [{ tenant: 7 }, 'has 7 for tenant: write a string, such as the id of a tenant'],
    [
      { provider: 'opnai' },
      expect.stringMatching(/has "opnai" for provider: write 'neutral', 'openai', /),
    ],
  ],
  'ToolRegistry.select': [
    [{ filter: 5 }, 'has 5 for filter: write a function that returns whether a tool is selected'],
    [{ loaded: 'a' }, 'has "a" for loaded: write an array of names, as names() returns one'],
  ],
  'ToolRegistry.close': [[{ timeoutMs: -1 }, `has -1 for timeoutMs: ${atLeast0}`]],
  ToolRun: [
    [{ callLimit: 0 }, 'has 0 for callLimit: write an integer, at least 1'],
    [{ retryLimit: -1 }, 'has -1 for retryLimit: write an integer, at least 0'],
  ],
  CallMemory: [[{ failureLimit: 1 }, 'has 1 for failureLimit: write an integer, at least 2']],
  ToolCallCollector: [[{ model: 5 }, 'has 5 for model: write a string']],
  interpret: [[{ output: 'wire' }, "has \"wire\" for output: write 'value' or 'json'"]],
  interpretArguments: [
    [
      { onUnusableSchema: 'ignore' },
      "has \"ignore\" for onUnusableSchema: write 'refuse' or 'warn'",
    ],
    [{ meta: 1 }, 'has 1 for meta: write true or false'],
    [{ tool: 5 }, "has 5 for tool: write the tool's name, or { name, effects, … }"],
    [{ tool: { efects: 'destructive' } }, 'has no option "tool.efects": write effects'],
    [{ tool: { strict: { path: 'off' } } }, 'has no option "tool.strict.path": write paths'],
    [
      { tool: { effects: 'no' } },
      "has \"no\" for tool.effects: write 'read', 'write' or 'destructive'",
    ],
  ],
  standardSchema: [
    [{ onInterpretation: 1 }, `has 1 for onInterpretation: ${takes} an interpretation`],
  ],
  openTelemetry: [[{ content: true }, "has true for content: write 'on' or 'off'"]],
  toAiSdk: [
    [
      { progress: 'all' },
      'has "all" for progress: write \'preliminary\' or a function that takes an update and its call',
    ],
  ],
  anthropicMessages: [[{ strict: 'yes' }, 'has "yes" for strict: write true or false']],
  chatCompletions: [[{ notes: 'part' }, "has \"part\" for notes: write 'parts' or 'message'"]],
  serveTools: [[{ onOutcome: 1 }, 'has 1 for onOutcome: write a function that takes an outcome']],
  registerRemoteTools: [
    [
      { overlay: { search: { efects: 'read' } } },
      'has no option "overlay.search.efects": write effects',
    ],
    [
      { search: {} },
      expect.stringContaining('has no option "search": the options are prefix, overlay, '),
    ],
    [
      {
        overlay: {
          search: { arguments: { filter: { properties: { path: { semantics: 'path' } } } } },
        },
      },
      'has no option "overlay.search.arguments.filter.properties.path.semantics": write semantic',
    ],
  ],
  'toolmend/testing': [
    [{ kinds: ['fencd'] }, expect.stringContaining('has "fencd" for kinds[0]: write ')],
    [{ count: -1 }, 'has -1 for count: write an integer, at least 0'],
    [{ sed: 7 }, 'has no option "sed": write seed'],
  ],
};

const eachRow = names.flatMap((name) =>
  (rows[name] ?? []).map(([options, ...problems]) => [name, options, problems] as const),
);

test.each(eachRow)('%s refuses %j', async (name, options, problems) => {
  const optionProblems = await problemsOf(() => takers[name](options));
  expect(optionProblems.map((problem) => problem.slice(name.length + 1, -1))).toEqual(problems);
});

describe('the options of a tool', () => {
  const description = 'Finds.';
  const says = "write description: '…', which says to the model what the tool does";
  const define = (options: object): unknown =>
    Reflect.apply(defineTool, undefined, [{ ...definition, ...options }]);
  const makers: readonly (readonly [string, (options: object) => unknown])[] = [
    ['find', define],
    ['Files', (options) => toolsOf(Tool, { description, ...options })],
    ['Files.execute', (options) => toolsOf(ToolMethod, Arguments, { description, ...options })],
  ];

  test.each<[object, string]>([
    [{ efects: 'destructive' }, 'has no option "efects": write effects'],
    [{ effects: 'destroy' }, "has \"destroy\" for effects: write 'read', 'write' or 'destructive'"],
    [{ repair: 'some' }, "has \"some\" for repair: write 'all', 'lossless' or 'off'"],
    [{ unknownArguments: 'drop' }, "has \"drop\" for unknownArguments: write 'reject' or 'strip'"],
    [{ enabled: true }, 'has true for enabled: write enabled: (values) => …'],
    [{ deferred: 'yes' }, 'has "yes" for deferred: write true or false'],
    [{ timeoutMs: -1 }, `has -1 for timeoutMs: ${positive}`],
    [{ callLimit: 0 }, 'has 0 for callLimit: write an integer, at least 1'],
    [{ returnDirect: 'directly' }, 'has "directly" for returnDirect: write true or false'],
    [
      { concurrency: 1 },
      "has 1 for concurrency: write 'parallel', 'exclusive' or { key: (values) => … }",
    ],
    [
      { concurrency: {} },
      'has no concurrency.key: write a function that returns the lock, (values) => …',
    ],
    [
      { outputSchema: 5 },
      "has an outputSchema that is not the schema of an object: write { type: 'object', properties: { … } }, or a class with decorated fields",
    ],
    [{ description: ' ' }, `has " " for description: ${says}`],
    [{ description: undefined }, `has no description: ${says}`],
    [
      { name: 'a tool' },
      'has the name "a tool", which some providers refuse: write name: with letters, digits, _ and -, at most 64, starting with a letter or _',
    ],
  ])('%j', async (options, problem) => {
    for (const [name, make] of makers) {
      const where = make === define && 'name' in options ? 'a tool' : name;
      expect(await problemsOf(() => make(options))).toEqual([`${where} ${problem}.`]);
    }
  });

  test.each([
    ['parameters', {}, 'inputSchema'],
    ['input_schema', {}, 'inputSchema'],
    ['handler', () => 1, 'execute'],
  ])('have the names of other libraries’ options told: %s', async (option, value, ownOption) => {
    const problems = await problemsOf(() => define({ [option]: value }));
    expect(problems).toEqual([`find has no option "${option}": write ${ownOption}.`]);
  });

  test('are all told at once', async () => {
    const ones = { hints: 1, validator: 1, execute: 1 };
    const problems = await problemsOf(() =>
      define({ ...ones, strict: { path: 1 }, onUnusableSchema: 1 }),
    );
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'find has no option "strict.path"',
      'find has 1 for hints',
      'find has 1 for validator',
      'find has 1 for onUnusableSchema',
      'find has 1 for execute',
    ]);
  });

  test('are an object', async () => {
    expect(await problemsOf(() => Reflect.apply(defineTool, undefined, [null]))).toEqual([
      'defineTool was given null for its options: write an object.',
      "tool has an input schema that is not the schema of an object: write { type: 'object', properties: { … } }.",
    ]);
    expect(await problemsOf(() => toolsOf(ToolMethod, {}))).toEqual([
      'Files.execute has @ToolMethod without an argument class: write @ToolMethod(Arguments, { description }).',
    ]);
  });

  test('of a field are told when the class is read', async () => {
    const decorator = Reflect.apply(Field, undefined, [{ descripton: 'Words.', hints: 'on' }]);
    expect(await problemsOf(() => contractsOf(toolWithField(decorator, IsString())))).toEqual([
      'Sample.field has "on" for hints: write \'off\'.',
      'Sample.field has no option "descripton": write description.',
    ]);
  });
});
