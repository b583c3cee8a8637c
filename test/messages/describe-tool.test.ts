import { readFileSync } from 'node:fs';
import { ArrayMaxSize, IsInt, IsOptional, IsString } from 'class-validator';
import {
  ArrayOf,
  Contract,
  Field,
  PairedDefault,
  PathField,
  RecordOf,
  type RegistryOptions,
  Tool,
  ToolRegistry,
  Verbatim,
  contractOf,
} from 'toolmend';
import { contractHints, describeTool } from '../../src/messages/describe-tool.ts';
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import {
  anyOf,
  flag,
  listOf,
  number,
  objectOf,
  type Schema,
  text,
  texts,
  whole,
} from '../schemas.ts';
import { toolOf } from '../tools.ts';

test('a tool without hints keeps its description', () => {
  const description = ' Says the time. ';
  const contract = contractFromSchema({
    name: 'now',
    description,
    inputSchema: objectOf({ zone: text }),
  });
  expect(describeTool(contract)).toBe('Says the time.');
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
  const contractSentences = [
    'paths is a JSON array of strings, at most 20.',
    'renames is a JSON object.',
    'edits and edits[].after are JSON arrays of objects.',
    'Send offset and limit together; offset defaults to 0; limit defaults to 200.',
    'edits[].text is used verbatim: send plain text, without a code fence and without extra escaping.',
    'paths and renames are file system paths, not Markdown links.',
  ].join(' ');
  const description = describeTool(contractOf(EditFiles), { longest: 1000 });
  expect(description).toBe(`Edits files.\nRead a file before you edit it.\n${contractSentences}`);
});

test("a single path is described in the singular, and other servers' annotations are read too", () => {
  const file: Schema = { ...text, 'dirge-hints': { semantic: 'absolute_path' } };
  const relational = [{ fields: ['from', 'to'], default: { to: 9 } }];
  expect(
    contractHints(objectOf({ file, from: {}, to: {} }, [], { 'dirge-hints': { relational } })),
  ).toEqual([
    'Send from and to together; to defaults to 9.',
    'file is a file system path, not a Markdown link.',
  ]);
});

test('what a field holds is said of addresses, globs and ranges of lines', () => {
  const of = (schema: Schema, semantic: string): Schema => ({
    ...schema,
    'x-toolmend': { semantic },
  });
  const two = listOf(whole, { minItems: 2, maxItems: 2 });
  expect(
    contractHints(
      objectOf({
        page: of(text, 'url'),
        only: of(text, 'glob'),
        except: of(text, 'glob'),
        lines: of(two, 'line_range'),
        range: of(text, 'line_range'),
      }),
    ),
  ).toEqual([
    'lines is a JSON array of integers, exactly 2.',
    'page is an address with its protocol, not a Markdown link.',
    'only and except are glob patterns without quotes.',
    'lines is the first and the last line, such as [10, 20]; [10, -1] goes to the end of the file.',
    'range is a range of lines such as 10-20.',
  ]);
});

describe('a sentence about containers', () => {
  const hintOf = (schema: Schema): string => contractHints(objectOf({ it: schema })).join(' ');

  test.each<[string, Schema]>([
    ['it is a JSON array.', { type: 'array' }],
    ['it is a JSON array of integers, at least 2.', listOf(whole, { minItems: 2 })],
    ['it is a JSON array of numbers, 1 to 3.', listOf(number, { minItems: 1, maxItems: 3 })],
    ['it is a JSON array of booleans, exactly 2.', listOf(flag, { minItems: 2, maxItems: 2 })],
    ['it is a JSON array of arrays.', { type: ['array', 'null'], items: { type: 'array' } }],
    ['it is a JSON array.', listOf(anyOf(text, number))],
    ['it is a JSON object.', { type: 'object' }],
  ])('%s', (sentence, schema) => {
    expect(hintOf(schema)).toBe(sentence);
  });

  test.each<Schema>([
    { type: ['array', 'string'] },
    {},
    anyOf({ type: 'array' }, text),
    { enum: [[1], [2]] },
  ])('is not made for %j', (schema) => {
    expect(hintOf(schema)).toBe('');
  });

  test('is made once for a schema that contains itself, and for the first of very many places', () => {
    const children = listOf({ $ref: '#' });
    expect(contractHints(objectOf({ children }))).toEqual(['children is a JSON array of objects.']);
    const many = Array.from({ length: 5000 }, (_item, index) => [`k${index}`, { type: 'array' }]);
    expect(contractHints(objectOf(Object.fromEntries(many))).join('').length).toBeLessThan(100);
  });
});

describe('the amount of hints', () => {
  test('is limited, and only whole sentences are given', () => {
    const schema = objectOf({
      names: texts,
      filter: objectOf({ tags: { type: 'array' } }),
      count: whole,
    });
    const all = contractHints(schema);
    const [names, filter] = ['names is a JSON array of strings.', 'filter is a JSON object.'];
    expect(all).toEqual([names, filter, 'filter.tags is a JSON array.']);
    for (let longest = 0; longest <= all.join(' ').length; longest += 1) {
      const hints = contractHints(schema, { longest });
      expect(hints.join(' ').length).toBeLessThanOrEqual(longest);
      expect(all).toEqual(expect.arrayContaining([...hints]));
    }
    expect(contractHints(schema, { longest: 60 })).toEqual([names, filter]);
  });

  test('is less without an argument that the author leaves out, and what is below it', () => {
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

  test('can be limited by a registry', () => {
    const find = toolOf(() => 1, {
      hints: ['Once a day.'],
      inputSchema: objectOf({ tags: texts }),
    });
    const descriptionBy = (options: RegistryOptions): string | undefined =>
      new ToolRegistry(options).register(find).schemas()[0]?.description;
    expect(descriptionBy({})).toBe('Works.\nOnce a day.\ntags is a JSON array of strings.');
    expect(descriptionBy({ hints: { longest: 10 } })).toBe('Works.\nOnce a day.');
    expect(descriptionBy({ hints: 'off' })).toBe('Works.\nOnce a day.');
  });
});

test('what hints cost over real tools is what the document says', () => {
  const lines = readFileSync(new URL('../cases/mcp-tools.jsonl', import.meta.url), 'utf8').trim();
  const schemas = lines.split('\n').map((line): Schema => JSON.parse(line).schema);
  const rows = [undefined, 100, 1000].map((longest) => {
    const lengths = schemas
      .map(
        (schema) =>
          contractHints(schema, longest === undefined ? {} : { longest }).join(' ').length,
      )
      .toSorted((left, right) => left - right);
    const at = (share: number): number => lengths[Math.floor((lengths.length - 1) * share)] ?? 0;
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    const some = lengths.filter((length) => length > 0).length;
    return `| ${longest ?? '300 (default)'} | ${some} of ${lengths.length} | ${mean.toFixed(1)} | ${at(0.5)} | ${at(0.9)} | ${at(1)} |`;
  });
  const schemaMean =
    schemas.reduce((sum, schema) => sum + JSON.stringify(schema).length, 0) / schemas.length;
  const page = readFileSync(new URL('../../docs/reference/hints.md', import.meta.url), 'utf8');
  expect(page.match(/^\| \d.*$/gm)?.map((line) => line.replace(/\s+/g, ' '))).toEqual(rows);
  expect(page).toContain(`${schemaMean.toFixed(0)} characters of JSON Schema`);
});
