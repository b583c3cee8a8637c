import { Equals, IsDate, IsInt, IsOptional, IsString } from 'class-validator';
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
  TupleOf,
  arrayOf,
  contractOf,
  oneOf,
  unionOf,
} from 'toolmend';
import type { JsonObject } from '../../src/json/value.ts';
import type { ApplicationContext } from '../../src/tool/tool-contract.ts';
import { thrower } from '../tools.ts';
import { description, problemsOf, toolWithFields } from './sample-tool.ts';

/** A new instance, filled as in a call. */
function fill<Instance extends object>(
  Class: new (...parameters: never[]) => Instance,
  values: JsonObject,
  context: ApplicationContext = {},
  instance: Instance = new Class(),
): Instance {
  const { binding } = contractOf(Class);
  if (binding.kind === 'class') binding.fill(instance, values, context);
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

const toLine = () => Line;
const stringOrLines = unionOf(String, toLine, arrayOf(toLine));

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
  @IsOptional() @Field({ type: stringOrLines }) mixed?: string | Line | Line[];
  @IsOptional() @Field({ type: unionOf(Date, Number) }) when?: Date | number;
  @IsOptional() @Nullable() @Nested(() => Line) maybe?: Line | null;
  @IsOptional() @Field({ type: Object }) free?: Record<string, unknown>;
  execute(): string {
    return this.path;
  }
}

const line = { from: 1, to: 3 };

test('an instance has the declared arguments that were sent, and nothing else', () => {
  const edit = fill(Edit, { path: 'a.ts', other: 1, execute: 'no' });
  expect([edit.execute(), ...Object.keys(edit)]).toEqual(['a.ts', 'path']);
});

test('instances of nested classes have methods, getters and private fields', () => {
  const [first, second] = fill(Edit, { path: 'a', lines: [line, { from: 2 }] }).lines ?? [];
  expect(first).toBeInstanceOf(Line);
  expect([first?.length, second?.describe()]).toEqual([4, '2-undefined']);
});

test('instances are made in unions, maps, tuples and nullable fields', () => {
  const edit = fill(Edit, {
    path: 'a',
    edit: { op: 'insert', line },
    edits: [{ op: 'remove' }, { op: 'insert', line }],
    byName: { constructor: line, ['__proto__']: line },
    pair: ['x', line],
    mixed: [line],
    maybe: null,
  });
  expect(edit).toMatchObject({
    edit: expect.any(Insert),
    edits: [expect.any(Remove), { op: 'insert', line: { length: 4 } }],
    pair: ['x', expect.any(Line)],
    mixed: [expect.any(Line)],
    maybe: null,
  });
  const isLine = expect.any(Line);
  expect(Object.entries(edit.byName ?? {}).flat()).toEqual([
    'constructor',
    isLine,
    '__proto__',
    isLine,
  ]);
  expect(fill(Edit, { path: 'a', mixed: 'text' }).mixed).toBe('text');
  expect(fill(Edit, { path: 'a', mixed: line, maybe: line })).toMatchObject({
    mixed: isLine,
    maybe: isLine,
  });
});

test('dates are read', () => {
  const epoch = '1970-01-01T00:00:00Z';
  const edit = fill(Edit, { path: 'a', at: '2024-02-29T10:00:00Z', times: [[epoch]], when: epoch });
  const at = new Date(Date.UTC(2024, 1, 29, 10));
  expect(edit).toMatchObject({ at, times: [[new Date(0)]], when: new Date(0) });
  expect(fill(Edit, { path: 'a', when: 5 }).when).toBe(5);
});

test('values are copies: a handler changes nothing that was sent', () => {
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

  test('are copied for each call, as they were declared', () => {
    const first = fill(Fetch, {});
    first.options['retries']?.push(3);
    first.line.from = 9;
    written.retries.push(99);
    const second = fill(Fetch, {});
    expect(second).toMatchObject({
      options: { retries: [1, 2] },
      line: { from: 5 },
      since: new Date(0),
    });
    expect(second.line).toBeInstanceOf(Line);
    const { options } = contractOf(Fetch).inputSchema.properties ?? {};
    expect(options).toMatchObject({ default: { retries: [1, 2] } });
  });

  test('do not replace null that was sent', () => {
    expect(fill(Fetch, { note: null }).note).toBeNull();
    expect(fill(Fetch, { note: 'a' }).note).toBe('a');
  });

  test('can’t be initializers, also if these run only in a call', () => {
    @Tool({ description })
    class Made {
      @IsInt() @Default(1) count: number;
      @IsInt() @IsOptional() limit?: number;
      constructor(start?: number) {
        if (start === undefined) throw new RangeError('registration constructs without parameters');
        this.count = start;
        this.limit = 3;
      }
      execute(): void {}
    }
    expect(problemsOf(() => fill(Made, {}, {}, new Made(7)))).toEqual([
      'Made.count has both @Default and an initializer: remove the initializer.',
      "Made.limit has an initializer whose value models can't see: write `!` without a value, and @Default(value) if it may be absent.",
    ]);
  });
});

describe('context fields', () => {
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

  test('are not in the schema, and have the application’s values, whatever a model sends', () => {
    const contract = contractOf(Read);
    expect(JSON.stringify(contract.inputSchema)).not.toMatch(/user|owner|tenant/);
    expect(contract.contextFields).toEqual(['user', 'owner']);
    const owner = { name: 'app' };
    const sent = {
      path: 'a',
      user: 'model',
      owner: 'model',
      scope: { path: 'b', tenant: 'model' },
    };
    const read = fill(Read, sent, { user: 'app', tenant: owner });
    expect([read.user, read.owner]).toEqual(['app', owner]);
    expect(read.scope?.tenant).toBe(owner);
  });

  test('need a value from the application, which is not looked up on Object.prototype', () => {
    const Named = toolWithFields('Named', { who: [FromContext('toString')] });
    expect(() => fill(Named, { who: 'model' })).toThrow(
      'Named.who comes from the context value toString, which neither the registry nor the call gives: ' +
        'pass context: { toString: … }, with undefined if it may be missing',
    );
    const named = fill(Named, { who: 'model' }, { toString: undefined });
    expect(Object.entries(named)).toEqual([['who', undefined]]);
  });
});

test('fields named like members of Object.prototype are own data, and no setter is called', () => {
  const sent = { toString: 'a', constructor: 'b', hasOwnProperty: 'c', 'a/b~c': 'd', watched: 'e' };
  const fields = Object.keys(sent).map((name) => [name, [IsString()]] as const);
  const Odd = toolWithFields('Odd', Object.fromEntries(fields));
  Object.defineProperty(Odd.prototype, 'watched', {
    set: thrower(new Error('no setter is called')),
  });
  expect(Object.entries(fill(Odd, sent))).toEqual(Object.entries(sent));
});
