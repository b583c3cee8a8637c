import { Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import {
  type SchemaWarning,
  DefinitionError,
  defineTool,
  Describe,
  Field,
  interpretArguments,
  Tool,
  ToolRegistry,
} from 'toolmend';
import { z } from 'zod';
import { readDocBlocks } from './doc-blocks.ts';
import { readProjectFile } from './read-documents.ts';

const quoted = readDocBlocks(readProjectFile('docs/guide/troubleshooting.md'))
  .filter(({ origin }) => origin.kind === 'error')
  .flatMap(({ text }) => text.trimEnd().split('\n'));

const registry = new ToolRegistry();
const register = (Class: new (...args: never[]) => object): unknown => registry.register(Class);
const weather = { name: 'get_weather', description: 'Get the weather.', inputSchema: {} };
const define = (options: object) => defineTool({ ...weather, execute: () => 'sunny', ...options });

function classWithoutType(): unknown {
  @Tool({ description: 'Read a file.' })
  class ReadFile {
    @Field() limit!: number | string; // emitted as Object, like every type of a compiler that emits none
    execute(): unknown {
      return this.limit;
    }
  }
  return register(ReadFile);
}

function classWithDependency(): unknown {
  @Tool({ description: 'Find notes.' })
  class FindNotes {
    @IsString() word!: string;
    constructor(private readonly notes: ReadonlyMap<string, string>) {}
    execute(): unknown {
      return this.notes.get(this.word);
    }
  }
  return register(FindNotes);
}

function minifiedClass(): unknown {
  class wA {
    @IsString() city!: string;
    execute(): void {}
  }
  Tool({ description: 'Get the weather.' })(wA);
  return register(wA);
}

const orderWith = (decorate: PropertyDecorator, article?: string): unknown => {
  class Order {
    article?: string;
    constructor() {
      if (article !== undefined) this.article = article;
    }
    execute(): void {}
  }
  decorate(Order.prototype, 'article');
  Tool({ description: 'Order.' })(Order);
  return register(Order);
};

const apiProperty: PropertyDecorator = (prototype, name) => {
  Reflect.defineMetadata('swagger/apiModelPropertiesArray', [`:${String(name)}`], prototype);
};

const transformedText: PropertyDecorator = (prototype, name) => {
  IsString()(prototype, name);
  Transform(({ value }) => value)(prototype, name);
};

test.each<[string, () => unknown]>([
  ['a field that is only documented', () => orderWith(apiProperty)],
  ['a transform', () => orderWith(transformedText)],
  ['validation groups', () => orderWith(IsString({ groups: ['create'] }))],
  ['an initializer', () => orderWith(IsString(), 'ink')],
  ['a misspelt option', () => define({ efects: 'destructive' })],
  ['an ill-valued option', () => define({ effects: 'reads' })],
  ['a list of properties', () => define({ inputSchema: { city: { type: 'string' } } })],
  [
    "an SDK's tool",
    () => define({ inputSchema: { function: { parameters: { type: 'object' } } } }),
  ],
  ['a type that JSON lacks', () => define({ inputSchema: z.object({ day: z.date() }) })],
  [
    'text instead of an input',
    () => Reflect.apply(interpretArguments, undefined, [{}, '{"city":"Graz"}']),
  ],
  ['a class without a decorator', () => register(class ReadFile {})],
  ['a field without a type', classWithoutType],
  ['a minified class', minifiedClass],
  ['a constructor without create', classWithDependency],
  [
    'a standard decorator',
    () =>
      Reflect.apply(Describe('A path.'), undefined, [undefined, { kind: 'field', name: 'path' }]),
  ],
])('the page quotes the error of %s', (_title, run) => {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(DefinitionError);
  expect(quoted).toContain(String(thrown));
});

test('the page quotes the error of a call that is nested as its provider nests it', async () => {
  const call = { id: 'call_1', function: { name: 'get_weather', arguments: '{}' } };
  const thrown: unknown = await Reflect.apply(registry.call, registry, [call]).catch(String);
  expect(quoted).toContain(String(thrown));
});

test('the page quotes the warning about an external reference', () => {
  const warnings: string[] = [];
  const warn = ({ code, message }: SchemaWarning) =>
    warnings.push(`[${code}] ToolmendWarning: ${message}`);
  interpretArguments({ $ref: 'https://example.com/city.json' }, { text: '{}' }, { warn });
  expect(warnings).toHaveLength(1);
  expect(quoted).toContain(warnings[0]);
});
