import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsDateString,
  IsDefined,
  IsEnum,
  IsInt,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import {
  Alias,
  ArrayOf,
  Default,
  Describe,
  EnumOf,
  Example,
  Field,
  FromContext,
  Nested,
  Nullable,
  OneOf,
  Optional,
  PairedDefault,
  Glob,
  LineRange,
  PathField,
  RecordOf,
  Secret,
  Tool,
  TupleOf,
  Url,
  Verbatim,
  anyJson,
  arrayOf,
  contractOf,
  dateOnly,
  integer,
  nullable,
  oneOf,
  schemaOf,
  unionOf,
} from 'toolmend';
import type { Constructor } from '../../src/tool/tool-contract.ts';
import {
  closedOf,
  listOf as arrayIn,
  mapOf as mapIn,
  number,
  text as string,
  whole as integers,
} from '../schemas.ts';
import { description, toolWithField, toolWithFields } from './sample-tool.ts';
import { compileStrictly } from './strict-ajv.ts';

enum Level {
  Low,
  High,
}

enum Signed {
  Down = -1,
  Up = 1.5,
}

enum Mixed {
  Off = 0,
  On = 'on',
}

/** The input schema, which a strict Ajv must compile. */
function inputSchemaOf(Class: Constructor) {
  const schema = contractOf(Class).inputSchema;
  compileStrictly(schema);
  return schema;
}

class Child {
  @IsInt() x!: number;
}

class Insert {
  @Equals('insert') op!: 'insert';
  @IsInt() line!: number;
}

class Replace {
  @Equals('replace') op!: 'replace';
  @IsString() find!: string;
}

const closed = (properties: Parameters<typeof closedOf>[0]) =>
  closedOf(properties, Object.keys(properties));
const child = closed({ x: { type: 'integer' } });
const insert = closed({ op: { type: 'string', const: 'insert' }, line: { type: 'integer' } });
const replace = closed({ op: { type: 'string', const: 'replace' }, find: { type: 'string' } });
const tupleIn = (...prefixItems: readonly object[]) => {
  const { length } = prefixItems;
  return { type: 'array', prefixItems, items: false, minItems: length, maxItems: length };
};
const strings = arrayIn(string);
const levels = { type: 'integer', enum: [0, 1] };
const [dateTime, date] = [{ format: 'date-time' }, { format: 'date' }];
const toChild = Type(() => Child);
const inserting = oneOf('op', () => [Insert, Replace]);

type Row = readonly [title: string, decorators: readonly PropertyDecorator[], schema: object];

describe('a required field', () => {
  const none = { type: 'null' };
  const either = unionOf(String, Number);
  const year = { pattern: '^[+-]?[0-9]{4}' };
  const zero = { type: 'integer', enum: [0] };
  const each = { each: true };
  const short = [IsString(each), Length(1, 3, each)];
  const ofShort = { ...string, minLength: 1, maxLength: 3 };

  test.each<Row>([
    ['a boolean', [Field({ type: Boolean })], { type: 'boolean' }],
    ['an integer that is also declared a number', [IsNumber(), IsInt()], integers],
    ['a date', [Field({ type: Date })], { ...string, ...dateTime }],
    [
      "a date by class-transformer's @Type",
      [Type(() => Date), Field()],
      { ...string, ...dateTime },
    ],
    ['a date string', [IsDateString()], { ...string, anyOf: [dateTime, date, year] }],
    ['a map of any values', [Field({ type: Object })], { type: 'object' }],
    ['any JSON', [Describe('Anything.'), Field({ type: anyJson })], { description: 'Anything.' }],
    [
      'any JSON, narrowed',
      [Field({ type: anyJson }), IsString(), MinLength(5)],
      { ...string, minLength: 5 },
    ],
    ['a date alone', [Field({ type: dateOnly })], { ...string, ...date }],
    ['an array of dates alone', [ArrayOf(dateOnly)], arrayIn({ ...string, ...date })],
    ['a JSON Schema', [Field({ type: schemaOf({ const: 5 }) })], { const: 5 }],
    ['a constant', [Equals(1)], { type: 'integer', const: 1 }],
    ['a string with @IsDefined', [IsDefined(), IsString()], string],
    ['a numeric enum', [IsEnum(Level)], levels],
    ['an enum with a fraction', [EnumOf(Signed)], { type: 'number', enum: [-1, 1.5] }],
    ['an enum of two JSON types', [EnumOf(Mixed)], { anyOf: [zero, { ...string, enum: ['on'] }] }],
    [
      'an enum with a duplicate',
      [EnumOf(['asc', 'desc', 'asc'])],
      { ...string, enum: ['asc', 'desc'] },
    ],
    ['a class', [ValidateNested(), toChild], child],
    ['an array of a class', [IsArray(), ValidateNested(), toChild], arrayIn(child)],
    ['one of two classes', [OneOf('op', () => [Insert, Replace])], { anyOf: [insert, replace] }],
    ['an array of two classes', [ArrayOf(inserting)], arrayIn({ anyOf: [insert, replace] })],
    ['a map of arrays', [RecordOf(arrayOf(String))], mapIn(strings)],
    ['a tuple', [TupleOf(String, integer)], tupleIn(string, integers)],
    ['a union', [Field({ type: unionOf(String, arrayOf(String)) })], { anyOf: [string, strings] }],
    [
      'a nullable string',
      [IsString(), Nullable(), MinLength(2)],
      { type: ['string', 'null'], minLength: 2 },
    ],
    [
      'a nullable constant',
      [Equals('a'), Nullable()],
      { anyOf: [{ ...string, const: 'a' }, none] },
    ],
    ['a nullable class', [Nested(() => Child), Nullable()], { ...child, type: ['object', 'null'] }],
    ['a nullable union', [Field({ type: either }), Nullable()], { anyOf: [string, number, none] }],
    [
      'an array of nullable strings',
      [ArrayOf(nullable(String))],
      arrayIn({ type: ['string', 'null'] }),
    ],
    ['an array that is not empty', [IsNotEmpty(), ArrayOf(String)], { ...strings, minItems: 1 }],
    ['constraints of elements', [...short, ArrayMaxSize(2)], arrayIn(ofShort, { maxItems: 2 })],
    ['constraints of a tuple', [TupleOf(Number), Min(0, each)], tupleIn({ ...number, minimum: 0 })],
    [
      'a keyword of two constraints',
      [Min(3), Min(1)],
      { ...number, minimum: 1, allOf: [{ minimum: 3 }] },
    ],
    [
      'two patterns',
      [Matches(/b/u), Matches(/a/u)],
      { ...string, pattern: 'a', allOf: [{ pattern: 'b' }] },
    ],
  ])('%s', (_title, decorators, schema) => {
    const { properties, required } = inputSchemaOf(toolWithField(...decorators));
    expect(properties).toEqual({ field: schema });
    expect(required).toEqual(['field']);
  });
});

test.each<Row>([
  ['is not nullable', [IsString(), IsOptional()], { type: 'string' }],
  ['by the decorator of toolmend', [Field({ type: Number }), Optional()], { type: 'number' }],
  ['with a format', [IsUUID(), IsOptional()], { type: 'string', format: 'uuid' }],
  ['with a default', [Default(1), IsInt()], { type: 'integer', default: 1 }],
  [
    'with a condition, without its constraints',
    [ValidateIf(() => false), IsString(), MinLength(2)],
    string,
  ],
])('an optional field: %s', (_title, decorators, schema) => {
  const { properties, required } = inputSchemaOf(toolWithField(...decorators));
  expect(properties).toEqual({ field: schema });
  expect(required).toBeUndefined();
});

describe('classes in classes', () => {
  test('a class that is used twice is defined once', () => {
    const Move = toolWithFields('Move', {
      from: [Nested(() => Child)],
      to: [Nested(() => Child), Describe('Where to.')],
      over: [IsOptional(), Nested(() => Child), IsNotEmptyObject()],
    });
    const { $defs, properties } = inputSchemaOf(Move);
    expect($defs).toEqual({ Child: child });
    expect(properties).toEqual({
      from: { $ref: '#/$defs/Child' },
      to: { $ref: '#/$defs/Child', description: 'Where to.' },
      over: { type: 'object', $ref: '#/$defs/Child', minProperties: 1 },
    });
  });

  test('two classes of one name stay two', () => {
    const First = toolWithFields('Part', { value: [IsString()] });
    const Second = toolWithFields('Part', { value: [IsInt()] });
    const arrays = { a: [ArrayOf(() => First)], b: [ArrayOf(() => Second)] };
    const nested = { c: [Nested(() => First)], d: [Nested(() => Second)] };
    const { properties, $defs } = inputSchemaOf(toolWithFields('Both', { ...arrays, ...nested }));
    const [first, second] = [{ $ref: '#/$defs/Part' }, { $ref: '#/$defs/Part2' }];
    expect(properties).toMatchObject({ a: { items: first }, d: second });
    expect($defs).toEqual({ Part: closed({ value: string }), Part2: closed({ value: integers }) });
  });

  test('classes and tools may contain themselves', () => {
    class Node {
      @IsString() name!: string;
      @IsOptional() @ArrayOf(() => Node) below?: Node[];
    }
    @Tool({ description })
    class Tree {
      @Nested(() => Node) root!: Node;
      @IsOptional() @ArrayOf(() => Tree) trees?: Tree[];
      execute(): void {}
    }
    const schema = inputSchemaOf(Tree);
    const node = { $ref: '#/$defs/Node' };
    expect(schema.properties).toEqual({ root: node, trees: arrayIn({ $ref: '#' }) });
    expect(schema.$defs).toMatchObject({ Node: { properties: { below: arrayIn(node) } } });
    const accepts = compileStrictly(schema);
    expect(accepts({ root: { name: 'a', below: [{ name: 'b' }] } })).toBe(true);
    expect(accepts({ root: { name: 'a', below: [{ name: 1 }] } })).toBe(false);
  });
});

class Target {
  @PathField() @IsString() path!: string;
  @Describe('How deep.') @IsInt() depth!: number;
}

test("parents' fields come first, and a field that is declared again keeps its place", () => {
  @Tool({ description })
  class Edit extends Target {
    @IsString() text!: string;
    @Describe('How many levels.') @IsInt() @Min(1) override depth!: number;
    execute(): void {}
  }
  const { properties = {} } = inputSchemaOf(Edit);
  expect(Object.keys(properties)).toEqual(['path', 'depth', 'text']);
  expect(properties['depth']).toEqual({ ...integers, minimum: 1, description: 'How many levels.' });
});

describe('annotations', () => {
  const facts = { name: 'find', title: 'Find', description, timeoutMs: 50 };
  const own = { ...facts, effects: 'destructive', unknownArguments: 'strip' } as const;
  @Tool(own)
  @Example({ path: 'a.ts' })
  @Example({ path: 'b.ts', limit: 3 })
  class Search {
    @Alias('file', 'file_path')
    @Alias('filename')
    @PathField()
    @Describe('What to search.')
    @Example('src/a.ts')
    @IsString()
    path!: string;
    @Verbatim() @IsOptional() @IsString() text?: string;
    @Secret() @IsOptional() @ArrayOf(String) tokens?: string[];
    @PathField() @RecordOf(arrayOf(String)) @IsOptional() groups?: Record<string, string[]>;
    @IsOptional() @Url() @IsString() page?: string;
    @IsOptional() @Glob() @ArrayOf(String) only?: string[];
    @IsOptional() @LineRange() lines?: [number, number];
    @IsOptional() @IsInt() @Field({ title: 'Offset', hints: 'off' }) offset?: number;
    @IsOptional() @IsInt() @PairedDefault('offset', 0) limit?: number;
    @Default('asc') @EnumOf(['asc', 'desc']) order!: string;
    @FromContext() user!: string;
    @FromContext('tenant_id') tenant!: string;
    execute(): void {}
  }

  test('of fields', () => {
    const path = { ...string, 'x-toolmend': { semantic: 'path' } };
    const secret = { 'x-toolmend': { secret: true } };
    const schema = inputSchemaOf(Search);
    expect(schema.properties).toEqual({
      path: {
        ...string,
        description: 'What to search.',
        examples: ['src/a.ts'],
        'x-toolmend': { semantic: 'path', aliases: ['file', 'file_path', 'filename'] },
      },
      text: { ...string, 'x-toolmend': { verbatim: true } },
      tokens: arrayIn({ ...string, ...secret }, secret),
      groups: mapIn(arrayIn(path)),
      page: { ...string, 'x-toolmend': { semantic: 'url' } },
      only: arrayIn({ ...string, 'x-toolmend': { semantic: 'glob' } }),
      lines: {
        ...arrayIn(integers),
        minItems: 2,
        maxItems: 2,
        'x-toolmend': { semantic: 'line_range' },
      },
      offset: { ...integers, title: 'Offset', 'x-toolmend': { hints: 'off' } },
      limit: integers,
      order: { ...string, enum: ['asc', 'desc'], default: 'asc' },
    });
    expect(schema.required).toEqual(['path']);
    expect(schema.examples).toEqual([{ path: 'a.ts' }, { path: 'b.ts', limit: 3 }]);
    const relational = [{ requires: ['limit', 'offset'], defaults: { offset: 0 } }];
    expect(schema['x-toolmend']).toEqual({ relational });
  });

  test('of the tool', () => {
    const strict = { paths: 'declared', spellings: true };
    const contextFields = ['user', 'tenant'];
    expect(contractOf(Search)).toMatchObject({
      ...own,
      repair: 'lossless',
      strict,
      contextFields,
      meta: [],
    });
  });

  test('pairs named from both sides are one relation', () => {
    const Slice = toolWithFields('Slice', {
      offset: [IsOptional(), IsInt(), PairedDefault('limit', 200)],
      limit: [IsOptional(), IsInt(), PairedDefault('offset', 0)],
    });
    const relational = [{ requires: ['offset', 'limit'], defaults: { limit: 200, offset: 0 } }];
    expect(inputSchemaOf(Slice)['x-toolmend']).toEqual({ relational });
  });
});

describe('a contract', () => {
  test.each([
    ['ReadFiles', 'read_files'],
    ['ParseHTMLPage', 'parse_html_page'],
    ['Grep', 'grep'],
    ['V2Search', 'v2_search'],
    ['snake_case', 'snake_case'],
  ])('of the class %s, without arguments, is named %s', (className, name) => {
    const Class = toolWithFields(className, {});
    expect(contractOf(Class).name).toBe(name);
    expect(inputSchemaOf(Class)).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });

  test('is made once for each class, and frozen to the bottom', () => {
    const Copy = toolWithFields('Copy', { from: [Nested(() => Child), Default({ x: 1 })] });
    const contract = contractOf(Copy);
    expect(contractOf(Copy)).toBe(contract);
    const partsOf = (value: unknown): readonly object[] =>
      typeof value === 'object' && value !== null
        ? [value, ...Object.values(value).flatMap(partsOf)]
        : [];
    expect(partsOf(contract).filter((part) => !Object.isFrozen(part))).toEqual([]);
  });
});
