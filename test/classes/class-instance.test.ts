import { Equals, IsDate, IsInt, IsOptional, IsString, MinLength } from 'class-validator';
import {
  ArrayOf,
  Default,
  Field,
  FromContext,
  Nested,
  Nullable,
  OneOf,
  RecordOf,
  Tool,
  ToolMethod,
  TupleOf,
  arrayOf,
  contractOf,
  contractsOf,
  oneOf,
  unionOf,
} from 'toolmend';
import type { JsonObject } from '../../src/json/value.ts';
import type { ApplicationContext } from '../../src/tool/tool-contract.ts';
import { description, problemsOf } from './sample-tool.ts';

/** A new instance, filled as in a call. */
const fill = <Instance extends object>(
  Class: new () => Instance,
  values: JsonObject,
  context: ApplicationContext = {},
): Instance => fillInstance(Class, new Class(), values, context);

function fillInstance<Instance extends object>(
  Class: new (...parameters: never[]) => Instance,
  instance: Instance,
  values: JsonObject,
  context: ApplicationContext = {},
): Instance {
  const { binding } = contractOf(Class);
  if (binding.kind !== 'class') throw new Error('not a class');
  binding.fill(instance, values, context);
  return instance;
}

class Line {
  @IsInt() from!: number;
  @IsOptional() @IsInt() to?: number;
  readonly #factor = 2;

  get length(): number {
    return ((this.to ?? this.from) - this.from) * this.#factor;
  }

  describe(): string {
    return `${this.from}-${this.to}`;
  }
}

class Insert {
  @Equals('insert') op!: 'insert';
  @Nested(() => Line) line!: Line;
}

class Remove {
  @Equals('remove') op!: 'remove';
}

@Tool({ description })
class Edit {
  @IsString() path!: string;
  @IsOptional() @ArrayOf(() => Line) lines?: Line[];
  @IsOptional() @OneOf('op', () => [Insert, Remove]) edit?: Insert | Remove;
  @IsOptional() @ArrayOf(oneOf('op', () => [Insert, Remove])) edits?: (Insert | Remove)[];
  @IsOptional() @RecordOf(() => Line) byName?: Record<string, Line>;
  @IsOptional() @IsDate() at?: Date;
  @IsOptional() @ArrayOf(arrayOf(Date)) times?: Date[][];
  @IsOptional() @TupleOf(String, () => Line) pair?: [string, Line];
  @IsOptional()
  @Field({
    type: unionOf(
      String,
      () => Line,
      arrayOf(() => Line),
    ),
  })
  mixed?: string | Line | Line[];
  @IsOptional() @Field({ type: unionOf(Date, Number) }) when?: Date | number;
  @IsOptional() @Nullable() @Nested(() => Line) maybe?: Line | null;
  @IsOptional() @Field({ type: Object }) free?: Record<string, unknown>;

  execute(): string {
    return this.path;
  }
}

const line = { from: 1, to: 3 };

test('an instance has all declared arguments that were sent, and nothing else', () => {
  const edit = fill(Edit, { path: 'a.ts', other: 1, execute: 'no' });
  expect(edit.execute()).toBe('a.ts');
  expect(Object.keys(edit)).toEqual(['path']);
  expect(edit.lines).toBeUndefined();
});

describe('instances of nested classes', () => {
  test('have methods, getters and private fields', () => {
    const edit = fill(Edit, { path: 'a', lines: [line, { from: 2 }] });
    expect(edit.lines?.[0]).toBeInstanceOf(Line);
    expect(edit.lines?.[0]?.length).toBe(4);
    expect(edit.lines?.[1]?.describe()).toBe('2-undefined');
  });

  test('are found in unions, maps, tuples and below null', () => {
    const edit = fill(Edit, {
      path: 'a',
      edit: { op: 'insert', line },
      edits: [{ op: 'remove' }, { op: 'insert', line }],
      byName: { constructor: line, ['__proto__']: line },
      pair: ['x', line],
      mixed: [line],
      maybe: null,
    });
    expect(edit.edit).toBeInstanceOf(Insert);
    expect(edit.edits?.[0]).toBeInstanceOf(Remove);
    expect(edit.edits?.[1]).toMatchObject({ op: 'insert', line: { length: 4 } });
    expect(Object.keys(edit.byName ?? {})).toEqual(['constructor', '__proto__']);
    expect(edit.byName?.['constructor']).toBeInstanceOf(Line);
    expect(edit.pair?.[1]).toBeInstanceOf(Line);
    expect(edit.mixed).toEqual([expect.any(Line)]);
    expect(edit.maybe).toBeNull();
    expect(fill(Edit, { path: 'a', mixed: 'text' }).mixed).toBe('text');
    expect(fill(Edit, { path: 'a', mixed: line }).mixed).toBeInstanceOf(Line);
    expect(fill(Edit, { path: 'a', maybe: line }).maybe).toBeInstanceOf(Line);
  });

  test('dates are read', () => {
    const edit = fill(Edit, { path: 'a', at: '2024-02-29T10:00:00Z', times: [['1970-01-01T00:00:00Z']] });
    expect(edit.at?.getTime()).toBe(Date.UTC(2024, 1, 29, 10));
    expect(edit.times?.[0]?.[0]?.getTime()).toBe(0);
    expect(fill(Edit, { path: 'a', when: '1970-01-01T00:00:00Z' }).when).toEqual(new Date(0));
    expect(fill(Edit, { path: 'a', when: 5 }).when).toBe(5);
  });
});

test('values are copies: a handler writes into nothing that is kept', () => {
  const sent = { path: 'a', free: { list: [{ n: 1 }] }, lines: [line] };
  const edit = fill(Edit, sent);
  expect(edit.free).toEqual(sent.free);
  Reflect.set(edit.free ?? {}, 'list', []);
  edit.lines?.push(new Line());
  expect(sent).toEqual({ path: 'a', free: { list: [{ n: 1 }] }, lines: [{ from: 1, to: 3 }] });
});

describe('defaults', () => {
  const written = { retries: [1, 2] };

  @Tool({ description })
  class Fetch {
    @Default(written) @Field({ type: Object }) options!: Record<string, number[]>;
    @Default({ from: 5 }) @Nested(() => Line) line!: Line;
    @Default(null) @Nullable() @IsString() note!: string | null;
    @Default('1970-01-01T00:00:00Z') @IsDate() since!: Date;
    execute(): void {}
  }

  test('each call gets its own', () => {
    const first = fill(Fetch, {});
    first.options['retries']?.push(3);
    first.line.from = 9;
    const second = fill(Fetch, {});
    expect(second.options).toEqual({ retries: [1, 2] });
    expect(second.line.from).toBe(5);
    expect(second.line).toBeInstanceOf(Line);
    expect(second.since.getTime()).toBe(0);
    expect(contractOf(Fetch).inputSchema.properties?.['options']).toMatchObject({
      default: { retries: [1, 2] },
    });
  });

  test('a value that the author changes later stays as it was declared', () => {
    written.retries.push(99);
    expect(fill(Fetch, {}).options).toEqual({ retries: [1, 2] });
  });

  test('null that was sent is not absent', () => {
    expect(fill(Fetch, { note: null }).note).toBeNull();
    expect(fill(Fetch, { note: 'a' }).note).toBe('a');
  });

  test('an initializer that shows only in a call is refused then', () => {
    @Tool({ description })
    class Injected {
      @IsInt() @Default(1) count: number;
      @IsInt() @IsOptional() limit?: number;
      constructor(start?: number, ...rest: readonly never[]) {
        this.count = start ?? rest.length;
        if (start === 7) this.limit = 3;
      }
      execute(): void {}
    }
    class Made extends Injected {
      constructor(needed: number) {
        super(Math.max(0, needed));
      }
    }
    Tool({ description })(Made);
    expect(problemsOf(() => fillInstance(Made, new Made(7), {}))).toEqual([
      'Made.count has both @Default and an initializer: remove the initializer.',
      "Made.limit has an initializer, which models can't see: write @Default(value) instead.",
    ]);
  });
});

describe("the application's values", () => {
  class Scope {
    @IsString() path!: string;
    @FromContext('tenant') tenant!: string;
  }

  @Tool({ description })
  class Read {
    @IsString() path!: string;
    @FromContext() user!: string;
    @FromContext('tenant') owner!: { readonly name: string };
    @IsOptional() @Nested(() => Scope) scope?: Scope;
    execute(): void {}
  }

  test('are in no schema, named in the contract, and win over what a model sends', () => {
    const contract = contractOf(Read);
    expect(JSON.stringify(contract.inputSchema)).not.toMatch(/user|owner|tenant/);
    expect(contract.contextFields).toEqual(['user', 'owner']);
    const owner = { name: 'app' };
    const sent = { path: 'a', user: 'model', owner: 'model', scope: { path: 'b', tenant: 'model' } };
    const read = fill(Read, sent, { user: 'app', tenant: owner });
    expect(read.user).toBe('app');
    expect(read.owner).toBe(owner);
    expect(read.scope?.tenant).toBe(owner);
  });

  test('a value that the application does not give is an error, also if Object.prototype has one', () => {
    @Tool({ description })
    class Named {
      @FromContext('toString') who!: unknown;
      execute(): void {}
    }
    expect(() => fill(Named, { who: 'model' }, {})).toThrow(
      'Named.who comes from the context value toString, which neither the registry nor the call gives: ' +
        'pass context: { toString: … }, with undefined if it may be missing',
    );
    const named = fill(Named, { who: 'model' }, { toString: undefined });
    expect(named.who).toBeUndefined();
    expect(Object.hasOwn(named, 'who')).toBe(true);
  });
});

test('fields named like members of Object.prototype are own data, which no setter sees', () => {
  const seen: unknown[] = [];
  @Tool({ description })
  class Odd {
    execute(): void {}
  }
  for (const name of ['toString', 'constructor', 'hasOwnProperty', 'a/b~c']) IsString()(Odd.prototype, name);
  IsInt()(Odd.prototype, 'watched');
  Object.defineProperty(Odd.prototype, 'watched', {
    set(value: unknown) {
      seen.push(value);
    },
  });
  const odd = fill(Odd, { toString: 'a', constructor: 'b', hasOwnProperty: 'c', 'a/b~c': 'd', watched: 1 });
  expect(Object.entries(odd)).toEqual([
    ['toString', 'a'],
    ['constructor', 'b'],
    ['hasOwnProperty', 'c'],
    ['a/b~c', 'd'],
    ['watched', 1],
  ]);
  expect(seen).toEqual([]);
});

test('methods get an instance of their class of arguments', () => {
  class Greeting {
    @IsString() @MinLength(1) name!: string;
    @FromContext() greeting!: string;
    text(): string {
      return `${this.greeting} ${this.name}`;
    }
  }
  class Greeter {
    @ToolMethod(Greeting, { description })
    greet(args: Greeting): string {
      return args.text();
    }
  }
  const [contract] = contractsOf(Greeter);
  if (contract?.binding.kind !== 'method') throw new Error('not a method');
  const { binding } = contract;
  expect(binding.Owner).toBe(Greeter);
  expect(binding.method).toBe('greet');
  const args = binding.makeArguments({ name: 'Ada' }, { greeting: 'Hello' });
  expect(args).toBeInstanceOf(Greeting);
  expect(args instanceof Greeting && new Greeter().greet(args)).toBe('Hello Ada');
  expect(binding.makeArguments({ name: 'Ada' }, { greeting: 'Hello' })).not.toBe(args);
});
