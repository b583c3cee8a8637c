// Which schema does a decorated class give? Expected schemas are written by hand, and each must please a strict Ajv.
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
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
  Max,
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
  PairedDefault,
  PathField,
  RecordOf,
  Secret,
  Tool,
  ToolMethod,
  TupleOf,
  Verbatim,
  arrayOf,
  contractOf,
  contractsOf,
  enumOf,
  integer,
  nullable,
  oneOf,
  recordOf,
  tupleOf,
  unionOf,
} from 'toolmend';
import type { Constructor } from '../../src/tool/tool-contract.ts';
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

const description = 'A tool for a test.';

/** The schema of the one field that the decorators make, and whether it must be sent. */
function fieldOf(...decorators: readonly PropertyDecorator[]): unknown {
  class Sample {
    execute(): void {}
  }
  for (const decorate of decorators) decorate(Sample.prototype, 'field');
  Tool({ description })(Sample);
  const schema = schemaOf(Sample);
  return schema.required === undefined
    ? { optional: schema.properties?.['field'] }
    : schema.properties?.['field'];
}

function schemaOf(Class: Constructor) {
  const schema = contractOf(Class).inputSchema;
  compileStrictly(schema);
  return schema;
}

class Child {
  @IsInt()
  x!: number;
}

const child = {
  type: 'object',
  properties: { x: { type: 'integer' } },
  required: ['x'],
  additionalProperties: false,
};

describe('what the usual generator gets wrong', () => {
  test('a numeric enum has its values, not its names', () => {
    expect(fieldOf(IsEnum(Level))).toEqual({ type: 'integer', enum: [0, 1] });
    expect(fieldOf(EnumOf(Level))).toEqual({ type: 'integer', enum: [0, 1] });
    expect(fieldOf(EnumOf(Signed))).toEqual({ type: 'number', enum: [-1, 1.5] });
  });

  test('a list of a nested class shows the class', () => {
    expect(
      fieldOf(
        ValidateNested({ each: true }),
        Type(() => Child),
      ),
    ).toEqual({ type: 'array', items: child });
    expect(
      fieldOf(
        IsArray(),
        ValidateNested(),
        Type(() => Child),
      ),
    ).toEqual({ type: 'array', items: child });
  });

  test('a list that may not be empty is a list', () => {
    expect(fieldOf(IsNotEmpty(), ArrayOf(String))).toEqual({
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
    });
  });

  test('a defined field is required, and says nothing else', () => {
    expect(fieldOf(IsDefined(), IsString())).toEqual({ type: 'string' });
  });

  test('a date as text has the formats of dates', () => {
    expect(fieldOf(IsDateString())).toEqual({
      type: 'string',
      anyOf: [{ format: 'date-time' }, { format: 'date' }, { pattern: '^[+-]?[0-9]{4}' }],
    });
  });

  test('a field without a validator is there', () => {
    expect(fieldOf(Field({ type: String }))).toEqual({ type: 'string' });
  });

  test('a conditional field is optional, keeps its type, and leaves the rest to its own check', () => {
    expect(
      fieldOf(
        ValidateIf(() => false),
        IsString(),
        MinLength(2),
      ),
    ).toEqual({ optional: { type: 'string' } });
  });

  test("class-transformer's types are found", () => {
    expect(
      fieldOf(
        ValidateNested(),
        Type(() => Child),
      ),
    ).toEqual(child);
    expect(
      fieldOf(
        Type(() => Date),
        Field(),
      ),
    ).toEqual({ type: 'string', format: 'date-time' });
  });
});

describe('types', () => {
  test('scalars', () => {
    expect(fieldOf(Field({ type: Boolean }))).toEqual({ type: 'boolean' });
    expect(fieldOf(Field({ type: Number }))).toEqual({ type: 'number' });
    expect(fieldOf(Field({ type: integer }))).toEqual({ type: 'integer' });
    expect(fieldOf(Field({ type: Date }))).toEqual({ type: 'string', format: 'date-time' });
    expect(fieldOf(Field({ type: Object }))).toEqual({ type: 'object' });
    expect(fieldOf(IsNumber(), IsInt())).toEqual({ type: 'integer' });
    expect(fieldOf(Equals(1))).toEqual({ type: 'integer', const: 1 });
  });

  test('optional is not nullable, and nullable is not optional', () => {
    expect(fieldOf(IsString(), IsOptional())).toEqual({ optional: { type: 'string' } });
    expect(fieldOf(IsString(), Nullable(), MinLength(2))).toEqual({ type: ['string', 'null'], minLength: 2 });
    expect(fieldOf(IsEnum(Level), Nullable())).toEqual({ type: ['integer', 'null'], enum: [0, 1, null] });
    expect(fieldOf(Equals('a'), Nullable())).toEqual({
      anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }],
    });
    expect(
      fieldOf(
        Nested(() => Child),
        Nullable(),
      ),
    ).toEqual({ ...child, type: ['object', 'null'] });
    expect(fieldOf(ArrayOf(nullable(String)))).toEqual({
      type: 'array',
      items: { type: ['string', 'null'] },
    });
  });

  test('lists in lists, maps and tuples', () => {
    expect(fieldOf(ArrayOf(arrayOf(Number)))).toEqual({
      type: 'array',
      items: { type: 'array', items: { type: 'number' } },
    });
    expect(fieldOf(RecordOf(arrayOf(String)))).toEqual({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    });
    expect(fieldOf(TupleOf(String, integer))).toEqual({
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: false,
      minItems: 2,
      maxItems: 2,
    });
    expect(fieldOf(ArrayOf(tupleOf(Number)), ArrayMaxSize(3))).toEqual({
      type: 'array',
      items: { type: 'array', prefixItems: [{ type: 'number' }], items: false, minItems: 1, maxItems: 1 },
      maxItems: 3,
    });
    expect(fieldOf(RecordOf(recordOf(Boolean)))).toEqual({
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: 'boolean' } },
    });
  });

  test('enums of mixed values, lists of values, and enums in lists', () => {
    expect(fieldOf(EnumOf(Mixed))).toEqual({
      anyOf: [
        { type: 'integer', enum: [0] },
        { type: 'string', enum: ['on'] },
      ],
    });
    expect(fieldOf(EnumOf(['asc', 'desc', 'asc']))).toEqual({ type: 'string', enum: ['asc', 'desc'] });
    expect(fieldOf(ArrayOf(enumOf(Level)), ArrayMinSize(1))).toEqual({
      type: 'array',
      items: { type: 'integer', enum: [0, 1] },
      minItems: 1,
    });
  });

  test('unions that JSON tells apart', () => {
    expect(fieldOf(Field({ type: unionOf(String, arrayOf(String)) }))).toEqual({
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    });
    expect(fieldOf(Field({ type: unionOf(String, Number) }), Nullable())).toEqual({
      anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
    });
  });

  test('constraints for each element go to the elements', () => {
    expect(fieldOf(IsString({ each: true }), Length(1, 3, { each: true }), ArrayMaxSize(2))).toEqual({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 3 },
      maxItems: 2,
    });
    expect(fieldOf(TupleOf(integer, integer), Min(0, { each: true }))).toMatchObject({
      prefixItems: [
        { type: 'integer', minimum: 0 },
        { type: 'integer', minimum: 0 },
      ],
    });
  });

  test('keywords that two constraints share stand side by side', () => {
    expect(fieldOf(IsInt(), Min(1), Max(9), Min(3))).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 9,
      allOf: [{ minimum: 3 }],
    });
    expect(fieldOf(IsString(), Matches(/^a/u), Matches(/b$/u))).toEqual({
      type: 'string',
      pattern: '^a',
      allOf: [{ pattern: 'b$' }],
    });
    expect(fieldOf(IsUUID(), IsOptional())).toEqual({ optional: { type: 'string', format: 'uuid' } });
  });
});

class Insert {
  @Equals('insert')
  op!: 'insert';

  @IsInt()
  line!: number;
}

class Replace {
  @Equals('replace')
  op!: 'replace';

  @IsString()
  find!: string;
}

test('classes told apart by a constant', () => {
  const insert = {
    type: 'object',
    properties: { op: { type: 'string', const: 'insert' }, line: { type: 'integer' } },
    required: ['op', 'line'],
    additionalProperties: false,
  };
  const replace = {
    type: 'object',
    properties: { op: { type: 'string', const: 'replace' }, find: { type: 'string' } },
    required: ['op', 'find'],
    additionalProperties: false,
  };
  expect(fieldOf(OneOf('op', () => [Insert, Replace]))).toEqual({ anyOf: [insert, replace] });
  expect(fieldOf(ArrayOf(oneOf('op', () => [Insert, Replace])))).toEqual({
    type: 'array',
    items: { anyOf: [insert, replace] },
  });
});

describe('classes in classes', () => {
  test('a class that is used twice is defined once', () => {
    @Tool({ description })
    class Move {
      @Nested(() => Child) from!: Child;
      @Nested(() => Child) @Describe('Where to.') to!: Child;
      @IsOptional() @Nested(() => Child) @IsNotEmptyObject() over?: Child;
      execute(): void {}
    }
    const schema = schemaOf(Move);
    expect(schema.$defs).toEqual({ Child: child });
    expect(schema.properties).toEqual({
      from: { $ref: '#/$defs/Child' },
      to: { $ref: '#/$defs/Child', description: 'Where to.' },
      over: { type: 'object', $ref: '#/$defs/Child', minProperties: 1 },
    });
  });

  test('two classes of one name stay two', () => {
    const make = (decorate: PropertyDecorator) => {
      class Part {
        value!: unknown;
      }
      decorate(Part.prototype, 'value');
      return Part;
    };
    const First = make(IsString());
    const Second = make(IsInt());
    @Tool({ description })
    class Both {
      @ArrayOf(() => First) a!: object[];
      @ArrayOf(() => Second) b!: object[];
      @Nested(() => First) c!: object;
      @Nested(() => Second) d!: object;
      execute(): void {}
    }
    const schema = schemaOf(Both);
    expect(schema.properties?.['a']).toEqual({ type: 'array', items: { $ref: '#/$defs/Part' } });
    expect(schema.properties?.['d']).toEqual({ $ref: '#/$defs/Part2' });
    expect(schema.$defs).toMatchObject({
      Part: { properties: { value: { type: 'string' } } },
      Part2: { properties: { value: { type: 'integer' } } },
    });
  });

  test('classes that contain themselves or each other', () => {
    class Node {
      @IsString() name!: string;
      @IsOptional() @ArrayOf(() => Node) below?: Node[];
    }
    @Tool({ description })
    class Tree {
      @Nested(() => Node) root!: Node;
      execute(): void {}
    }
    const schema = schemaOf(Tree);
    expect(schema.properties).toEqual({ root: { $ref: '#/$defs/Node' } });
    expect(schema.$defs).toMatchObject({
      Node: { properties: { below: { type: 'array', items: { $ref: '#/$defs/Node' } } } },
    });
    const accepts = compileStrictly(schema);
    expect(accepts({ root: { name: 'a', below: [{ name: 'b' }] } })).toBe(true);
    expect(accepts({ root: { name: 'a', below: [{ name: 1 }] } })).toBe(false);
  });

  test('a tool that contains itself', () => {
    @Tool({ description })
    class Group {
      @IsString() name!: string;
      @IsOptional() @ArrayOf(() => Group) groups?: Group[];
      execute(): void {}
    }
    expect(schemaOf(Group).properties?.['groups']).toEqual({ type: 'array', items: { $ref: '#' } });
  });
});

describe('inheritance', () => {
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
    expect(Object.entries(schemaOf(Edit).properties ?? {})).toEqual([
      ['path', { type: 'string', 'x-toolmend': { semantic: 'path' } }],
      ['depth', { type: 'integer', minimum: 1, description: 'How many levels.' }],
      ['text', { type: 'string' }],
    ]);
  });

  test('a subclass never writes into its parent', () => {
    class Wide extends Target {
      @IsString() extra!: string;
      @Describe('Other.') override depth!: number;
    }
    Tool({ description })(Wide);
    Reflect.set(Wide.prototype, 'execute', () => undefined);
    class Plain extends Target {
      execute(): void {}
    }
    Tool({ description })(Plain);
    expect(Object.keys(schemaOf(Wide).properties ?? {})).toEqual(['path', 'depth', 'extra']);
    expect(schemaOf(Plain).properties?.['depth']).toEqual({ type: 'integer', description: 'How deep.' });
    expect(Object.keys(schemaOf(Plain).properties ?? {})).toEqual(['path', 'depth']);
  });

  test('generic classes by a factory', () => {
    const PageOf = (Item: new () => object) => {
      class Page {
        @ArrayOf(() => Item) items!: object[];
        @IsInt() next!: number;
      }
      return Page;
    };
    @Tool({ description })
    class ChildPage extends PageOf(Child) {
      execute(): void {}
    }
    @Tool({ description })
    class InsertPage extends PageOf(Insert) {
      execute(): void {}
    }
    expect(schemaOf(ChildPage).properties).toEqual({
      items: { type: 'array', items: child },
      next: { type: 'integer' },
    });
    expect(schemaOf(InsertPage).properties?.['items']).toMatchObject({ items: { required: ['op', 'line'] } });
  });
});

test('fields stand in the order of writing, whoever decorated them', () => {
  @Tool({ description })
  class Ordered {
    @Field({ type: String }) a!: string;
    @IsString() b!: string;
    @Describe('c') @IsString() c!: string;
    @IsString() @Describe('d') d!: string;
    @IsString() e!: string;
    @ArrayOf(String) f!: string[];
    execute(): void {}
  }
  expect(Object.keys(schemaOf(Ordered).properties ?? {})).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

describe('what else is said', () => {
  @Tool({
    name: 'find',
    title: 'Find',
    description,
    effects: 'destructive',
    timeoutMs: 50,
    unknownArguments: 'strip',
  })
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
    @IsOptional() @IsInt() offset?: number;
    @IsOptional() @IsInt() @PairedDefault('offset', 0) limit?: number;
    @Default('asc') @EnumOf(['asc', 'desc']) order!: string;
    @FromContext() user!: string;
    @FromContext('tenant_id') tenant!: string;
    execute(): void {}
  }

  test('about fields', () => {
    const schema = schemaOf(Search);
    expect(schema.properties).toEqual({
      path: {
        type: 'string',
        description: 'What to search.',
        examples: ['src/a.ts'],
        'x-toolmend': { semantic: 'path', aliases: ['file', 'file_path', 'filename'] },
      },
      text: { type: 'string', 'x-toolmend': { verbatim: true } },
      tokens: {
        type: 'array',
        items: { type: 'string', 'x-toolmend': { secret: true } },
        'x-toolmend': { secret: true },
      },
      groups: {
        type: 'object',
        additionalProperties: {
          type: 'array',
          items: { type: 'string', 'x-toolmend': { semantic: 'path' } },
        },
      },
      offset: { type: 'integer' },
      limit: { type: 'integer' },
      order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
    });
    expect(schema.required).toEqual(['path']);
    expect(schema.examples).toEqual([{ path: 'a.ts' }, { path: 'b.ts', limit: 3 }]);
    expect(schema['x-toolmend']).toEqual({
      relational: [{ requires: ['limit', 'offset'], defaults: { offset: 0 } }],
    });
  });

  test('about the tool', () => {
    expect(contractOf(Search)).toMatchObject({
      name: 'find',
      title: 'Find',
      description,
      effects: 'destructive',
      repair: 'lossless',
      unknownArguments: 'strip',
      timeoutMs: 50,
      strict: { paths: 'declared', spellings: true },
      contextFields: ['user', 'tenant'],
      meta: [],
    });
  });

  test('pairs named from both sides are one relation', () => {
    @Tool({ description })
    class Slice {
      @IsOptional() @IsInt() @PairedDefault('limit', 200) offset?: number;
      @IsOptional() @IsInt() @PairedDefault('offset', 0) limit?: number;
      execute(): void {}
    }
    expect(schemaOf(Slice)['x-toolmend']).toEqual({
      relational: [{ requires: ['offset', 'limit'], defaults: { limit: 200, offset: 0 } }],
    });
  });

  test('names come from classes and methods', () => {
    const named = (name: string) => {
      const Class = {
        [name]: class {
          execute(): void {}
        },
      }[name];
      if (Class === undefined) throw new Error('no class');
      Tool({ description })(Class);
      return contractOf(Class).name;
    };
    expect(['ReadFiles', 'ParseHTMLPage', 'Grep', 'V2Search', 'snake_case'].map(named)).toEqual([
      'read_files',
      'parse_html_page',
      'grep',
      'v2_search',
      'snake_case',
    ]);
  });

  test('methods of a provider', () => {
    class Billing {
      @ToolMethod(Child, { description: 'Refund.', effects: 'write' })
      refundPayment(args: Child): number {
        return args.x;
      }

      @ToolMethod(Insert, { name: 'note', description: 'Note.' })
      addNote(args: Insert): number {
        return args.line;
      }
    }
    const contracts = contractsOf(Billing);
    expect(
      contracts.map(({ name, effects, inputSchema, binding }) => [name, effects, inputSchema, binding.kind]),
    ).toEqual([
      ['refund_payment', 'write', child, 'method'],
      ['note', undefined, expect.objectContaining({ required: ['op', 'line'] }), 'method'],
    ]);
  });

  test('a tool without arguments', () => {
    @Tool({ description })
    class Now {
      execute(): void {}
    }
    expect(schemaOf(Now)).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });
});

describe('what a contract is', () => {
  @Tool({ description })
  class Copy {
    @Nested(() => Child) @Default({ x: 1 }) from!: Child;
    execute(): void {}
  }

  test('one per class, frozen to the bottom', () => {
    const contract = contractOf(Copy);
    expect(contractOf(Copy)).toBe(contract);
    const open: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) open.push(path);
      for (const [key, member] of Object.entries(value)) walk(member, `${path}/${key}`);
    };
    walk(contract, '');
    expect(open).toEqual([]);
  });

  test('the same class gives the same bytes', () => {
    const make = () => {
      @Tool({ description })
      class Same {
        @Nested(() => Child) a!: Child;
        @ArrayOf(() => Child) b!: Child[];
        @PairedDefault('b', []) @Field({ type: String }) c!: string;
        execute(): void {}
      }
      IsOptional()(Same.prototype, 'b');
      return JSON.stringify(contractOf(Same).inputSchema);
    };
    expect(make()).toBe(make());
    expect(make()).toBe(
      '{"type":"object","properties":{"a":{"$ref":"#/$defs/Child"},"b":{"type":"array","items":{"$ref":"#/$defs/Child"}},' +
        '"c":{"type":"string"}},"required":["a","c"],"additionalProperties":false,"x-toolmend":{"relational":' +
        '[{"requires":["c","b"],"defaults":{"b":[]}}]},"$defs":{"Child":{"type":"object","properties":{"x":' +
        '{"type":"integer"}},"required":["x"],"additionalProperties":false}}}',
    );
  });
});
