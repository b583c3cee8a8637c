// Each class is compiled twice, with TypeScript's experimental decorators and with standard ones,
// and must become the same tool.
import { transformSync } from 'esbuild';
import * as toolmend from 'toolmend';
import type { ToolContract } from 'toolmend';

type Kind = 'experimental' | 'standard';

/** What a module exports whose only import is toolmend. */
function compiled(source: string, kind: Kind): Readonly<Record<string, unknown>> {
  const { code } = transformSync(source, {
    loader: 'ts',
    format: 'cjs',
    target: 'es2022',
    keepNames: true,
    tsconfigRaw: { compilerOptions: { experimentalDecorators: kind === 'experimental' } },
  });
  const moduleObject = { exports: {} };
  // oxlint-disable-next-line typescript/no-implied-eval -- The code is this file's own.
  new Function('require', 'module', code)(() => toolmend, moduleObject);
  return moduleObject.exports;
}

const isClass = (value: unknown): value is new () => { execute(): unknown } =>
  typeof value === 'function';

function classIn(source: string, name: string, kind: Kind) {
  const { [name]: Class } = compiled(source, kind);
  if (!isClass(Class)) throw new TypeError(`${name} is not exported`);
  return Class;
}

function contractOf(source: string, name: string, kind: Kind): ToolContract {
  return toolmend.contractOf(classIn(source, name, kind));
}

const everyDecorator = `
  import { Alias, ArrayOf, Check, Contract, Default, Describe, EnumOf, Example, Field, FromContext, Glob,
    IdempotencyKey, integer, LineRange, Nested, Nullable, OneOf, Optional, PairedDefault, PathField, RecordOf,
    Secret, Tool, TupleOf, Url, Verbatim } from 'toolmend';
  class Insert { @EnumOf(['insert']) op!: 'insert'; @Verbatim() @Field({ type: String }) text!: string }
  class Target { @ArrayOf(String) @PathField() @Alias('file') @Describe('Paths.') paths!: string[] }
  @Tool({ description: 'Edit files.', effects: 'write' })
  @Contract('Paths are relative.')
  export class EditFiles extends Target {
    @Optional() @Url() @Field({ type: String }) page?: string;
    @Optional() @Glob() @ArrayOf(String) only?: string[];
    @Optional() @LineRange() lines?: [number, number];
    @Optional() @Field({ type: integer, minimum: 0 }) offset?: number;
    @Optional() @Field({ type: integer }) @PairedDefault('offset', 0) limit?: number;
    @EnumOf(['asc', 'desc']) @Default('asc') order!: 'asc' | 'desc';
    @Nested(() => Insert) edit!: Insert;
    @RecordOf(Number) @Example({ a: 1 }) counts!: Record<string, number>;
    @TupleOf(Number, Number) @Nullable() at!: [number, number] | null;
    @IdempotencyKey() @Field({ type: String }) key!: string;
    @Secret() @Field({ type: String }) token!: string;
    @FromContext() user!: string;
    cache = new Map();
    @Check() enough(): true | string { return this.paths.length > 0 || 'Name a path.'; }
    execute() { return this.paths.length; }
  }`;

describe.each<Kind>(['experimental', 'standard'])('%s decorators', (kind) => {
  test('state everything that a field can have', () => {
    const { name, hints, inputSchema } = contractOf(everyDecorator, 'EditFiles', kind);
    expect(name).toBe('edit_files');
    expect(hints).toEqual(['Paths are relative.']);
    expect(inputSchema).toMatchObject({
      properties: {
        paths: {
          type: 'array',
          items: { type: 'string', 'x-toolmend': { semantic: 'path' } },
          description: 'Paths.',
        },
        offset: { type: 'integer' },
        limit: { type: 'integer' },
        order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
        edit: { required: ['op', 'text'] },
        counts: { additionalProperties: { type: 'number' } },
        token: { 'x-toolmend': { secret: true } },
      },
      required: ['paths', 'edit', 'counts', 'at', 'key', 'token'],
    });
    expect(Object.keys(Object(inputSchema.properties))).toEqual(
      'paths page only lines offset limit order edit counts at key token'.split(' '),
    );
  });

  test('make a tool that runs', async () => {
    const tools = new toolmend.ToolRegistry({ context: { user: 'ada' } });
    tools.register(classIn(everyDecorator, 'EditFiles', kind));
    const call = {
      paths: 'a.ts',
      limit: '3',
      edit: { op: 'insert', text: 'x' },
      counts: {},
      at: null,
      key: 'k',
      token: 'token-of-ada',
    };
    const outcome = await tools.call({ id: '1', name: 'edit_files', arguments: call });
    expect(outcome).toMatchObject({
      status: 'completed',
      result: 1,
      interpretation: { value: { paths: ['a.ts'], limit: 3, offset: 0 } },
    });
    const empty = { ...call, paths: [] };
    expect(await tools.call({ id: '2', name: 'edit_files', arguments: empty })).toMatchObject({
      status: 'invalid_arguments',
      message: expect.stringContaining('Name a path.'),
    });
  });

  test('keep the fields of siblings apart', () => {
    const source = `
      import { Field, Tool } from 'toolmend';
      class Base { @Field({ type: String }) shared!: string }
      @Tool({ description: 'One.' })
      export class FirstTool extends Base { @Field({ type: String }) one!: string; execute() {} }
      @Tool({ description: 'Two.' })
      export class SecondTool extends Base { @Field({ type: String }) two!: string; execute() {} }`;
    const keys = (name: string) =>
      Object.keys(Object(contractOf(source, name, kind).inputSchema.properties));
    expect(keys('FirstTool')).toEqual(['shared', 'one']);
    expect(keys('SecondTool')).toEqual(['shared', 'two']);
  });

  test('make tools of methods', () => {
    const source = `
      import { Field, ToolMethod } from 'toolmend';
      class Refund { @Field({ type: Number }) amount!: number }
      export class Payments {
        @ToolMethod(Refund, { description: 'Refund a payment.' })
        refundPayment(args: Refund) { return args.amount; }
      }`;
    const [contract] = toolmend.contractsOf(classIn(source, 'Payments', kind));
    expect(contract).toMatchObject({
      name: 'refund_payment',
      inputSchema: { required: ['amount'] },
    });
  });

  test('on the wrong target are reported at registration', () => {
    const source = `
      import { Describe, Field, Tool } from 'toolmend';
      @Tool({ description: 'Odd.' })
      export class OddTool {
        @Field({ type: String }) name!: string;
        @Describe('x') static shared = '';
        @Describe('x') get read() { return ''; }
        execute() {}
      }`;
    const instead = 'put it on a field that is an argument';
    expect(() => contractOf(source, 'OddTool', kind)).toThrow(
      `OddTool has @Describe on a static member: ${instead}.`,
    );
    expect(() => contractOf(source, 'OddTool', kind)).toThrow(
      `OddTool has @Describe on the accessor read: ${instead}.`,
    );
  });
});

test('private members and accessors take no standard decorator', () => {
  const source = `
    import { Describe, Field, Tool } from 'toolmend';
    @Tool({ description: 'Odd.' })
    export class OddTool {
      @Field({ type: String }) name!: string;
      @Describe('x') #hidden = '';
      @Describe('x') accessor size = 1;
      execute() { return this.#hidden; }
    }`;
  expect(() => contractOf(source, 'OddTool', 'standard')).toThrow('@Describe on a private member');
  expect(() => contractOf(source, 'OddTool', 'standard')).toThrow('@Describe on the accessor size');
});

test('a compiler without decorator metadata is refused', () => {
  const apply = () =>
    Reflect.apply(Object(toolmend.Describe('x')), undefined, [
      undefined,
      { kind: 'field', name: 'path' },
    ]);
  expect(apply).toThrow(
    'path has @Describe, and its compiler gives standard decorators no metadata: compile it with TypeScript 5.2 or newer, or set "experimentalDecorators": true in the tsconfig.json that covers the file.',
  );
});
