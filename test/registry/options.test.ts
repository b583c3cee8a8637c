// What does a developer read who gives an option of another kind? Where, what it was, and what to write; all at once.
import {
  contractsOf,
  DefinitionError,
  defineTool,
  interpretArguments,
  ToolMethod,
  ToolRegistry,
  standardMetaArguments,
} from 'toolmend';
import { interpretingValidator } from 'toolmend/interpreting-validator';

const complaintsOf = (make: () => unknown): readonly string[] => {
  try {
    make();
  } catch (error) {
    if (error instanceof DefinitionError) return error.message.split('\n');
    throw error;
  }
  return [];
};
const registryOf = (options: unknown): readonly string[] =>
  complaintsOf(() => Reflect.construct(ToolRegistry, [options]));

test('every option of its kind is taken, and one that is undefined is none', () => {
  const options = {
    create: (Class: new () => object) => new Class(),
    context: {},
    listeners: [{}],
    interceptors: [(_call: unknown, next: () => unknown) => next()],
    approval: {},
    telemetry: undefined,
    meta: standardMetaArguments,
    pins: {},
    validator: interpretingValidator,
  };
  expect(registryOf(options)).toEqual([]);
  expect(registryOf({ hints: 'off' })).toEqual([]);
  expect(registryOf({ hints: {} })).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['create', 3, 'has 3 for create: write a function that returns an instance, (Class) => new Class(…).'],
  ['listeners', {}, 'has an object for listeners: write a list of listeners, [{ onEvent(event) { … } }].'],
  ['listeners', [5], 'has a list of 5 for listeners: write a list of listeners, [{ onEvent(event) { … } }].'],
  ['interceptors', 5, 'has 5 for interceptors: write a list of functions, [(call, next) => next()].'],
  ['approval', true, 'has true for approval: write {} to be asked about destructive tools, or { needed }.'],
  [
    'meta',
    'rationale',
    'has "rationale" for meta: write standardMetaArguments, or a list of meta arguments.',
  ],
  ['pins', 1, 'has 1 for pins: write what digests() returned.'],
  ['hints', 'on', 'has "on" for hints: write \'off\', or { longest } with a number of characters.'],
  [
    'hints',
    { longest: -1 },
    "has an object for hints: write 'off', or { longest } with a number of characters.",
  ],
  [
    'hints',
    { longer: 5 },
    "has an object for hints: write 'off', or { longest } with a number of characters.",
  ],
  [
    'validator',
    1,
    'has 1 for validator: write a function that makes a validator of a schema, as interpretingValidator is one.',
  ],
])('ToolRegistry: %s may not be %p', (option, value, complaint) => {
  expect(registryOf({ [option]: value })).toEqual([`ToolRegistry ${complaint}`]);
});

test('all of them are told at once', () => {
  expect(registryOf({ pins: 1, approval: true, create: 3 })).toHaveLength(3);
  expect(registryOf(null)).toEqual(['ToolRegistry was given null for its options: write an object.']);
});

test('defineTool, @ToolMethod and interpretArguments', () => {
  const definition = { name: 'f', description: 'F.', inputSchema: { type: 'object' }, execute: () => 1 };
  const defined = (more: object): readonly string[] =>
    complaintsOf(() => Reflect.apply(defineTool, undefined, [{ ...definition, ...more }]));
  expect(defined({ hints: ['Sentence.'], validator: interpretingValidator })).toEqual([]);
  expect(defined({ hints: {}, validator: 1 })).toEqual([
    'f has an object for hints: write a list of sentences.',
    'f has 1 for validator: write a function that makes a validator of a schema, as interpretingValidator is one.',
  ]);
  class Service {
    find(): void {}
  }
  const descriptor = Object.getOwnPropertyDescriptor(Service.prototype, 'find');
  const decorator: unknown = Reflect.apply(ToolMethod, undefined, [{}]);
  if (typeof decorator === 'function') decorator(Service.prototype, 'find', descriptor);
  expect(complaintsOf(() => contractsOf(Service))).toEqual([
    'Service.find has @ToolMethod without a class of arguments: write @ToolMethod(Arguments, { description }).',
  ]);
  expect(
    complaintsOf(() => Reflect.apply(interpretArguments, undefined, [definition.inputSchema, '{}'])),
  ).toEqual([
    'interpretArguments was given no input: pass { text } for argument text as it came, or { value } for what a provider has parsed.',
  ]);
});

test('an option that there is not is refused with the nearest one', () => {
  expect(registryOf({ listener: [], timeoutms: 5, colour: 1 })).toEqual([
    'ToolRegistry has no option "listener": write listeners.',
    'ToolRegistry has no option "timeoutms": write timeoutMs.',
    expect.stringMatching(/^ToolRegistry has no option "colour": the options are create, /),
  ]);
  const asked = [{ type: 'object' }, { value: {} }, { outpt: 'json' }];
  expect(complaintsOf(() => Reflect.apply(interpretArguments, undefined, asked))).toEqual([
    'interpretArguments has no option "outpt": write output.',
  ]);
});

test.each<[unknown, string]>([
  [null, 'ToolRegistry.select was given null for its options: write an object'],
  [{ filter: 5 }, 'ToolRegistry.select has 5 for filter: write a function that says which tools are taken'],
  [{ loaded: 'a' }, 'ToolRegistry.select has "a" for loaded: write a list of names, as names() returns one'],
  [{ context: 7 }, 'ToolRegistry.select has 7 for context: write an object of values by name'],
  [{ searchname: 'a' }, 'ToolRegistry.select has no option "searchname": write searchName'],
])('a selection by %j is an error of the program', (selection, complaint) => {
  const tools = new ToolRegistry();
  const made = complaintsOf(() => Reflect.apply(tools.select, tools, [selection]));
  expect(made).toEqual([expect.stringContaining(complaint)]);
});
