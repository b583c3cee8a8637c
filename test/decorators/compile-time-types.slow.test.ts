import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(root, 'test/decorators/compiled-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Lines that end in `// error` must not compile, and all others must. */
const sources = {
  'bounds fit the kind of the field': `
import { ArrayOf, Field, dateOnly, integer, nullable, unionOf } from 'toolmend';

export class Right {
  @Field({ type: integer, minimum: 1, maximum: 2 }) count!: number;
  @Field({ type: nullable(Number), minimum: 1 }) factor!: number | null;
  @Field({ type: String, minLength: 1, maxLength: 2, pattern: '^a' }) name!: string;
  @Field({ type: dateOnly, pattern: '^2026' }) day!: string;
  @ArrayOf(String) @Field({ minItems: 1, maxItems: 2 }) names!: string[];
}

export class Wrong {
  @Field({ type: String, minimum: 1 }) name!: string; // error
  @Field({ type: integer, maxLength: 1 }) count!: number; // error
  @Field({ type: Boolean, minimum: 1 }) isOn!: boolean; // error
  @Field({ type: unionOf(String, Number), minItems: 1 }) id!: string | number; // error
  @Field({ type: String, pattern: /a/ }) text!: string; // error
}
`,
  'a method’s first parameter takes the argument class': `
import { IsString } from 'class-validator';
import { ToolMethod, type ToolContext } from 'toolmend';

class Order { @IsString() article!: string; }
class Other { @IsString() city!: string; }
const options = { description: 'Order.' };

export class Right {
  @ToolMethod(Order, options) place(order: Order, { signal }: ToolContext): boolean { return signal.aborted || order.article === ''; }
  @ToolMethod(Order, options) first(order: Order): string { return order.article; }
  @ToolMethod(Order, options) none(): void {}
  @ToolMethod(Order, options) async part({ article }: { readonly article: string }): Promise<string> { return article; }
}

export class Wrong {
  @ToolMethod(Order, options) other(order: Other): string { return order.city; } // error
  @ToolMethod(Order, options) text(order: string): string { return order; } // error
  @ToolMethod(Order, options) more(order: Order & Other): string { return order.city; } // error
}
`,
  'the arguments of a bare schema are a plain object, to be changed at will': `
import { defineTool, interpretArguments } from 'toolmend';
import { z } from 'zod';
type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const equal = <One, Other>(_isEqual: Equal<One, Other>) => undefined;

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    edits: { type: 'array', items: { type: 'object', properties: { find: { type: 'string' }, at: { type: 'integer' } }, required: ['find'] } },
    unit: { enum: ['celsius', 'fahrenheit'] },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
    rest: { type: 'object' },
  },
  required: ['path', 'edits'],
} as const;
type Edit = { find: string; at?: number };
const result = interpretArguments(schema, { text: '{}' });
if (result.status !== 'rejected') {
  const { value } = result;
  equal<typeof value.edits, Edit[]>(true);
  equal<typeof value.unit, 'celsius' | 'fahrenheit' | undefined>(true);
  equal<typeof value.counts, Record<string, number> | undefined>(true);
  value.path = 'a';
  value.edits.push({ find: 'b' });
  delete value.unit;
  const sorted: { path: string; edits: Edit[] } = value;
  sorted.edits.sort();
  value.path = 1; // error
  value.other; // error
}
defineTool({ name: 'a', description: 'A.', inputSchema: schema, execute: ({ edits }) => edits.sort().length });
const byZod = interpretArguments(z.object({ a: z.array(z.string()), b: z.number().optional() }), { text: '{}' });
if (byZod.status !== 'rejected') equal<typeof byZod.value, { a: string[]; b?: number | undefined }>(true);
`,
  'a @Tool has the method execute': `
import { Tool, type ToolContext } from 'toolmend';
const options = { description: 'Wait.' };
@Tool(options) export class Right { execute(): void {} }
@Tool(options) export class WithContext { constructor(private readonly text: string) {} async execute({ signal }: ToolContext): Promise<string> { return this.text + signal.aborted; } }
@Tool(options) export class Child extends Right {}
@Tool(options) export class Without {} // error
@Tool(options) export class OtherName { run(): void {} } // error
`,
  'a result has the type of what the known tool returns': `
import { defineTool, Tool, ToolRegistry } from 'toolmend';
import { z } from 'zod';
@Tool({ description: 'Count.' }) class Count { async execute(): Promise<number> { return 1; } }
@Tool({ description: 'Walk.' }) class Walk { *execute(): Generator<string, boolean> { yield 'a'; return true; } }
const inputSchema = { type: 'object' };
const words = defineTool({ name: 'words', description: 'Words.', inputSchema, execute: () => ['a'] });
const zod = defineTool({ name: 'zod', description: 'Zod.', inputSchema: z.object({ a: z.string() }), execute: async ({ a }) => a.length });
const tools = new ToolRegistry().register(Count, Walk, words, zod);
const call = { id: 'call_1', arguments: '{}' };

const count = await tools.callAs(Count, call);
if (count.status === 'completed') count.result.toFixed();
if (count.status === 'completed') count.result.length; // error
count.result; // error
const walked = await tools.callAs(Walk, call);
if (walked.status === 'completed' && walked.result === true) walked.result.valueOf();
const list = await tools.callAs(words, call);
if (list.status === 'completed') list.result.join();
const length = await tools.callAs(zod, call);
if (length.status === 'completed') length.result.toFixed();
tools.callAs(class { run(): void {} }, call); // error
`,
  'the handler of a tool takes what its schema says, and the schema is one of an object': `
import { defineTool, type SchemaObject } from 'toolmend';
import { z } from 'zod';
interface Days { days?: number; cities: string[] }
const text = { name: 'tool', description: 'Tool.' };
const zod = z.object({ a: z.string(), days: z.int().default(1) });
const literal = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const;
const wide = { type: 'object', properties: { a: { type: 'string' } } };
declare const unknown: object, record: Record<string, unknown>, schema: SchemaObject, dynamic: any;

defineTool({ ...text, inputSchema: zod, execute: ({ a, days }) => a.length + days });
defineTool({ ...text, inputSchema: zod, execute: ({ a }: z.output<typeof zod>) => a.length });
defineTool({ ...text, inputSchema: zod, execute: ({ a }: { a: number }) => a }); // error
defineTool({ ...text, inputSchema: zod, execute: ({ days }: { days: string }) => days }); // error
defineTool({ ...text, inputSchema: zod, execute: ({ b }) => b }); // error
defineTool({ ...text, inputSchema: literal, execute: ({ a }) => a.length });
defineTool({ ...text, inputSchema: literal, execute: ({ a }: { a: 'x' | 'y' }) => a });
defineTool({ ...text, inputSchema: literal, execute: ({ a }: { a: number }) => a }); // error
defineTool({ ...text, inputSchema: { type: 'object', properties: { a: { type: 'string' } } }, execute: ({ a }: { a: number }) => a }); // error
defineTool({ ...text, inputSchema: { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } }, execute: ({ a }: { a: number[] }) => a }); // error
defineTool({ ...text, inputSchema: { type: 'object', properties: { cities: { type: 'array', items: { type: 'string' } }, days: { type: 'integer', default: 1 } } }, execute: (values: Days) => values.cities.push('x') });
defineTool({ ...text, inputSchema: { type: 'object', properties: { days: { $ref: '#/$defs/days' } }, $defs: { days: { type: 'integer' } } }, execute: ({ days }: { days: number }) => days });
defineTool({ ...text, inputSchema: { type: 'object' }, execute: ({ a }: { a: number }) => a });
defineTool({ ...text, inputSchema: wide, execute: ({ a }: { a: string }) => a });
defineTool<{ a: string }>({ ...text, inputSchema: unknown, execute: ({ a }) => a });
defineTool<{ a: string }>({ ...text, inputSchema: wide, execute: ({ a }) => a });
defineTool({ ...text, inputSchema: record, execute: () => 1 });
defineTool({ ...text, inputSchema: schema, execute: ({ a }: { a: string }) => a });
for (const inputSchema of [unknown, dynamic]) defineTool({ ...text, inputSchema, execute: ({ a }: { a: string }) => a });
defineTool({ ...text, inputSchema: { type: 'function', function: { name: 'x', parameters: literal } }, execute: () => 1 });
defineTool({ ...text, inputSchema: z.preprocess((value) => value, zod), execute: ({ a }) => a.length });
defineTool({ ...text, inputSchema: z.union([zod, z.object({ b: z.string() })]), execute: () => 1 });
defineTool({ ...text, inputSchema: z.string(), execute: () => 1 }); // error
defineTool({ ...text, inputSchema: z.array(zod), execute: () => 1 }); // error
defineTool({ ...text, inputSchema: { type: 'objekt' }, execute: () => 1 }); // error
defineTool({ ...text, inputSchema: { type: 'string' }, execute: () => 1 }); // error
`,
  'arguments are one text, one value, or one call': `
import { interpretArguments } from 'toolmend';
import { interpretArguments as repair } from 'toolmend/repair';
const schema = { type: 'object' };
declare const text: string, value: unknown;
interpretArguments(schema, { text });
interpretArguments(schema, { value });
const call = { id: '1', name: 'a', arguments: text };
interpretArguments(schema, call);
interpretArguments(schema, { arguments: value });
interpretArguments(schema, { text, value }); // error
repair(schema, { text, value }); // error
`,
  'a decorator that states a type fits its field': `
import { ArrayOf, arrayOf, EnumOf, enumOf, Field, integer, Nested, nullable, OneOf, RecordOf, TupleOf, unionOf } from 'toolmend';
enum Color { Red = 'red', Blue = 'blue' }
enum Level { Low, High }
class Edit { text!: string }
class Insert { op!: 'insert'; line!: string }
class Remove { op!: 'remove' }

export class Right {
  @ArrayOf(String) immutable!: readonly string[];
  @ArrayOf(String) nullable!: ('a' | 'b')[] | null;
  @ArrayOf(String) unknown!: unknown;
  @ArrayOf(String) private readonly hidden!: string[];
  @ArrayOf(String) protected shared: string[] = [String(this.hidden)];
  @ArrayOf(Edit) edits!: Edit[];
  @ArrayOf(() => Right) children?: Right[];
  @ArrayOf(nullable(String)) gaps!: (string | null)[];
  @ArrayOf(arrayOf(integer)) matrix!: number[][];
  @ArrayOf(enumOf(Color)) colors!: Color[];
  @ArrayOf(Date) dates!: Date[];
  @EnumOf(Level) level?: Level;
  @EnumOf(['asc', 'desc']) more?: 'asc' | 'desc' | 'none' | null;
  @Nested(() => Edit) alike?: { readonly text: string } | null;
  @OneOf('op', () => [Insert, Remove]) change!: Insert | Remove;
  @RecordOf(Number) counts!: Record<string, number>;
  @TupleOf(Number, String) pair!: [number, string];
  @Field({ type: unionOf(String, Number) }) user!: string | number;
  @Field({ description: 'Typed by another decorator.' }) other!: bigint;
  @Field() bare!: string;
}

export class Generic<Name extends string, Item extends Edit, Any> {
  @ArrayOf(String) readonly optional?: readonly Name[] | null;
  @ArrayOf(() => Edit) edits!: Item[];
  @Nested(() => Edit) edit?: Item;
  @RecordOf(String) map!: Record<string, Name>;
  @Field({ type: unionOf(String, Number) }) one!: Name;
  @ArrayOf(Number) numbers!: Name[]; // error
  @ArrayOf(Number) any!: Any[]; // error
}

export class Wrong {
  @ArrayOf(String) single!: string; // error
  @ArrayOf(String) nullable!: number[] | null; // error
  @ArrayOf(Edit) edits!: string[]; // error
  @ArrayOf(arrayOf(Number)) matrix!: number[]; // error
  @EnumOf(Color) color!: Level; // error
  @EnumOf(['asc', 'desc']) order!: 'up' | 'down'; // error
  @EnumOf(['asc', 'desc']) part!: 'asc'; // error
  @Nested(() => Edit) edit!: Insert; // error
  @OneOf('op', () => [Insert, Remove]) change!: Edit; // error
  @RecordOf(Number) counts!: Record<string, string>; // error
  @TupleOf(Number, String) pair!: [string, number]; // error
  @Field({ type: unionOf(String, Number) }) user!: boolean; // error
}
`,
};

test.each(Object.entries(sources))('%s, else it does not compile', (_title, source) => {
  const config = { extends: join(root, 'tsconfig.json'), include: ['sample.ts'] };
  writeFileSync(join(folder, 'sample.ts'), source);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['--noEmit', '-p', folder], { encoding: 'utf8' });
  const faults = source
    .split('\n')
    .flatMap((line, index) => (line.endsWith('// error') ? [index + 1] : []));
  const errors = [...stdout.matchAll(/sample\.ts\((\d+),\d+\): error TS\d+/g)];
  expect([...new Set(errors.map(([, line]) => Number(line)))]).toEqual(faults);
});
