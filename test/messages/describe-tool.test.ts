import { readFileSync } from 'node:fs';
import { ArrayMaxSize, IsInt, IsOptional, IsString } from 'class-validator';
import {
  ArrayOf,
  Contract,
  Field,
  type HintOptions,
  type JsonSchema,
  Nested,
  PairedDefault,
  PathField,
  RecordOf,
  type SchemaObject,
  Tool,
  ToolRegistry,
  Verbatim,
  contractOf,
} from 'toolmend';
import { contractHints, describeTool } from '../../src/messages/describe-tool.ts';
import { contractFromSchema } from '../../src/tool/from-schema.ts';

test('a tool without hints keeps its description', () => {
  @Tool({ description: ' Says the time. ' })
  class Now {
    @IsString() zone!: string;
    execute(): void {}
  }
  expect(describeTool(contractOf(Now))).toBe('Says the time.');
});

test("the author's sentences keep their lines, and the contract's are one paragraph at the end", () => {
  class Edit {
    @IsString() @Verbatim() text!: string;
    @IsOptional() @ArrayOf(() => Edit) after?: Edit[];
  }
  @Tool({ description: 'Edits files.' })
  @Contract('Read a file before you edit it.')
  class EditFiles {
    @ArrayOf(String) @PathField() @ArrayMaxSize(20) paths!: string[];
    @IsOptional() @RecordOf(String) @PathField() renames?: Record<string, string>;
    @ArrayOf(() => Edit) edits!: Edit[];
    @IsOptional() @IsInt() @PairedDefault('limit', 200) offset?: number;
    @IsOptional() @IsInt() @PairedDefault('offset', 0) limit?: number;
    execute(): void {}
  }
  expect(describeTool(contractOf(EditFiles), { longest: 1000 })).toBe(
    [
      'Edits files.',
      'Read a file before you edit it.',
      [
        'paths is a JSON array of strings, at most 20.',
        'renames is a JSON object.',
        'edits and edits[].after are JSON arrays of objects.',
        'Send offset and limit together; offset defaults to 0; limit defaults to 200.',
        'edits[].text is used verbatim: send plain text, without a code fence and without extra escaping.',
        'paths and renames are file system paths, not Markdown links.',
      ].join(' '),
    ].join('\n'),
  );
});

test('a single path is described in the singular', () => {
  class Target {
    @IsString() @PathField() path!: string;
  }
  @Tool({ description: 'Reads.' })
  class Read {
    @Nested(() => Target) target!: Target;
    execute(): void {}
  }
  expect(describeTool(contractOf(Read))).toBe(
    'Reads.\ntarget is a JSON object. target.path is a file system path, not a Markdown link.',
  );
});

test("other servers' annotations are read too", () => {
  const contract = contractFromSchema({
    name: 'read',
    inputSchema: {
      type: 'object',
      properties: {
        file: { type: 'string', 'dirge-hints': { semantic: 'absolute_path' } },
        from: {},
        to: {},
      },
      'dirge-hints': { relational: [{ fields: ['from', 'to'], default: { to: 9 } }] },
    },
  });
  expect(describeTool(contract)).toBe(
    'Send from and to together; to defaults to 9. file is a file system path, not a Markdown link.',
  );
});

describe('lists and objects', () => {
  const hintOf = (schema: JsonSchema, name = 'it'): string =>
    contractHints({ type: 'object', properties: { [name]: schema } }).join(' ');

  test.each<[string, JsonSchema]>([
    ['it is a JSON array.', { type: 'array' }],
    [
      'it is a JSON array of integers, at least 2.',
      { type: 'array', items: { type: 'integer' }, minItems: 2 },
    ],
    [
      'it is a JSON array of numbers, 1 to 3.',
      { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 3 },
    ],
    [
      'it is a JSON array of booleans, exactly 2.',
      { type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 2 },
    ],
    ['it is a JSON array of arrays.', { type: ['array', 'null'], items: { type: 'array' } }],
    ['it is a JSON array.', { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }],
    ['it is a JSON object.', { type: 'object' }],
  ])('%s', (sentence, schema) => {
    expect(hintOf(schema)).toBe(sentence);
  });

  test.each<[string, JsonSchema]>([
    ['where text may stand too', { type: ['array', 'string'] }],
    ['where anything may stand', {}],
    ['of a union', { anyOf: [{ type: 'array' }, { type: 'string' }] }],
    ['of members', { enum: [[1], [2]] }],
  ])('nothing is said %s', (_title, schema) => {
    expect(hintOf(schema)).toBe('');
  });

  test('a schema that contains itself, and one with very many places, come to an end', () => {
    const list = { type: 'array', items: { $ref: '#' } } as const;
    expect(contractHints({ type: 'object', properties: { children: list } })).toEqual([
      'children is a JSON array of objects.',
    ]);
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_item, index) => [`k${index}`, { type: 'array' }]),
    );
    expect(contractHints({ type: 'object', properties: many } as SchemaObject).join('').length).toBeLessThan(
      100,
    );
  });
});

describe('how much is said', () => {
  const schema: SchemaObject = {
    type: 'object',
    properties: {
      names: { type: 'array', items: { type: 'string' } },
      filter: { type: 'object', properties: { tags: { type: 'array' } } },
      count: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
      code: { type: 'string', pattern: '^[A-Z]{2}$', format: 'iso' },
    },
  };

  test('only whole sentences, never more than the limit', () => {
    const all = contractHints(schema);
    expect(all).toEqual([
      'names is a JSON array of strings.',
      'filter is a JSON object.',
      'filter.tags is a JSON array.',
    ]);
    for (let longest = 0; longest <= all.join(' ').length; longest += 1) {
      const said = contractHints(schema, { longest });
      expect(said.join(' ').length).toBeLessThanOrEqual(longest);
      for (const sentence of said) expect(all).toContain(sentence);
    }
    expect(contractHints(schema, { longest: 60 })).toEqual(all.slice(0, 2));
  });

  test('an argument can be left out, with all that is below it', () => {
    @Tool({ description: 'Finds.' })
    class Find {
      @ArrayOf(String) @Field({ hints: 'off' }) names!: string[];
      @ArrayOf(String) tags!: string[];
      @IsOptional() @IsInt() @Field({ hints: 'off' }) offset?: number;
      @IsOptional() @IsInt() @PairedDefault('offset', 0) limit?: number;
      execute(): void {}
    }
    expect(describeTool(contractOf(Find))).toBe('Finds.\ntags is a JSON array of strings.');
    expect(JSON.stringify(new ToolRegistry().register(Find).schemas())).not.toContain('x-toolmend');
  });

  test('a registry can say less, or nothing', () => {
    @Tool({ description: 'Finds.' })
    @Contract('Once a day.')
    class Find {
      @ArrayOf(String) tags!: string[];
      execute(): void {}
    }
    const shown = (hints?: 'off' | HintOptions): string | undefined =>
      new ToolRegistry(hints === undefined ? {} : { hints }).register(Find).schemas()[0]?.description;
    expect(shown()).toBe('Finds.\nOnce a day.\ntags is a JSON array of strings.');
    expect(shown({ longest: 10 })).toBe('Finds.\nOnce a day.');
    expect(shown('off')).toBe('Finds.\nOnce a day.');
  });
});

test('what hints cost over real tools is what the document says', () => {
  const lines = readFileSync(new URL('../cases/mcp-tools.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const schemas = lines.map((line): SchemaObject => JSON.parse(line).schema);
  const rows = [undefined, 100, 1000].map((longest) => {
    const lengths = schemas
      .map((schema) => contractHints(schema, longest === undefined ? {} : { longest }).join(' ').length)
      .toSorted((left, right) => left - right);
    const at = (share: number): number => lengths[Math.floor((lengths.length - 1) * share)] ?? 0;
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    const some = lengths.filter((length) => length > 0).length;
    return `| ${longest ?? '300 (default)'} | ${some} of ${lengths.length} | ${mean.toFixed(1)} | ${at(0.5)} | ${at(0.9)} | ${at(1)} |`;
  });
  const schemaMean = schemas.reduce((sum, schema) => sum + JSON.stringify(schema).length, 0) / schemas.length;
  const page = new URL('../../docs/hints.md', import.meta.url);
  const cells = (text: string): readonly string[] =>
    text
      .split('\n')
      .filter((line) => /^\| \d/.test(line))
      .map((line) => line.replace(/\s+/g, ' '));
  expect(cells(readFileSync(page, 'utf8'))).toEqual(rows);
  expect(readFileSync(page, 'utf8')).toContain(`${schemaMean.toFixed(0)} characters of JSON Schema`);
});
