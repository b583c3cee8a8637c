// Do schema and own check together validate as class-validator does, for every decorator it has? And the table in the
// docs, made of the same rows. To write the table anew: UPDATE_DOCS=1 npm test -- test/contract/class-validator.test.ts
import addFormats from 'ajv-formats';
import * as classValidator from 'class-validator';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Tool, contractOf } from 'toolmend';
import { constraintsOf } from '../../src/classes/class-validator.ts';
import { constraintMapping } from '../../src/classes/constraint-keywords.ts';
import type { JsonObject } from '../../src/json/value.ts';
import type { Constructor, ToolContract } from '../../src/tool/tool-contract.ts';
import { fc } from '../seeded-fast-check.ts';
import { type DecoratorRow, row } from './decorator-row.ts';
import { textRows } from './text-rows.ts';
import { valueRows } from './value-rows.ts';

const rows = [...valueRows, ...textRows];

interface ToolOfRow {
  readonly Class: Constructor;
  readonly contract: ToolContract;
  readonly passesSchema: (value: unknown) => boolean;
}

function toolOf({ decorate }: DecoratorRow): ToolOfRow {
  class Sample {
    execute(): void {}
  }
  for (const decorator of decorate) decorator(Sample.prototype, 'field');
  Tool({ description: 'A tool with one field.' })(Sample);
  const contract = contractOf(Sample);
  const ajv = strictAjv();
  return { Class: Sample, contract, passesSchema: (value) => ajv.validate(contract.inputSchema, value) };
}

function strictAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, ownProperties: true, multipleOfPrecision: 9, logger: false });
  addFormats.default(ajv);
  return ajv.addVocabulary(['x-toolmend']);
}

const argumentsWith = (value: unknown): Record<string, never> =>
  JSON.parse(JSON.stringify(value === undefined ? {} : { field: value }));

function acceptedByTool({ contract, passesSchema }: ToolOfRow, value: unknown): boolean {
  const sent = argumentsWith(value);
  return passesSchema(sent) && (contract.check?.(sent) ?? []).length === 0;
}

function acceptedByClassValidator({ Class, contract }: ToolOfRow, value: unknown): boolean {
  const instance = filled(contract, new Class(), argumentsWith(value));
  return classValidator.validateSync(instance, { forbidUnknownValues: false }).length === 0;
}

function filled({ binding }: ToolContract, instance: object, values: JsonObject): object {
  if (binding.kind === 'class') binding.fill(instance, values, {});
  return instance;
}

const others = [
  '',
  'a',
  'true',
  '0',
  0,
  1,
  -1,
  1.5,
  true,
  false,
  null,
  [],
  ['a'],
  [1],
  {},
  { x: 1 },
  { a: 'b' },
];

describe.each(rows.map((entry) => [entry.written, entry] as const))('%s', (_written, entry) => {
  const tool = toolOf(entry);

  test('what passes, passes both', () => {
    for (const value of entry.passes) {
      expect({ value, tool: acceptedByTool(tool, value) }).toEqual({ value, tool: true });
      expect({ value, tool: acceptedByClassValidator(tool, value) }).toEqual({ value, tool: true });
    }
  });

  test('what fails, fails here', () => {
    for (const value of entry.fails) {
      expect({ value, tool: acceptedByTool(tool, value) }).toEqual({ value, tool: false });
    }
  });

  test('where the two differ, it is known', () => {
    for (const value of entry.stricter) {
      expect({ value, tool: acceptedByTool(tool, value) }).toEqual({ value, tool: false });
      expect({ value, tool: acceptedByClassValidator(tool, value) }).toEqual({ value, tool: true });
    }
  });

  test('on random text nothing passes that class-validator refuses', () => {
    const samples = [...entry.passes, ...entry.fails, ...entry.stricter].filter(
      (value) => typeof value === 'string',
    );
    const letters = [...new Set([...samples.join(''), 'a', '0', ' '])].filter(
      (letter) => letter !== '\uFE0F',
    );
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 }),
      fc.string({ unit: 'grapheme-ascii' }),
      fc.constantFrom('', ...samples).map((sample) => sample.slice(1)),
    );
    fc.assert(
      fc.property(texts, (value) => !acceptedByTool(tool, value) || acceptedByClassValidator(tool, value)),
      { numRuns: 60 },
    );
  });

  test('on other values both agree', () => {
    const known = new Set(entry.stricter.map((value) => JSON.stringify(value)));
    for (const value of others.filter((other) => !known.has(JSON.stringify(other)))) {
      expect({ value, tool: acceptedByTool(tool, value) }).toEqual({
        value,
        tool: acceptedByClassValidator(tool, value),
      });
    }
  });
});

test('every decorator of class-validator has a row', () => {
  const names = rows.map(({ written }) => /^@(\w+)/.exec(written)?.[1] ?? '');
  const exported = Object.keys(classValidator).filter((name) => /^[A-Z][A-Za-z0-9]*[a-z]/.test(name));
  const missing = exported.filter((name) => !names.includes(name) && !noFieldDecorators.has(name));
  expect(exported.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

/** Classes, a decorator on classes, and one that is refused. */
const noFieldDecorators = new Set([
  'MetadataStorage',
  'ValidationError',
  'ValidationTypes',
  'Validator',
  'ValidatorConstraint',
  'ValidatePromise',
]);

const docs = new URL('../../docs/class-validator.md', import.meta.url);
const begin = '<!-- table: made by test/contract/class-validator.test.ts -->';

test('the table in the docs is what the code does', () => {
  const [head = ''] = existsSync(docs) ? readFileSync(docs, 'utf8').split(begin) : [''];
  const page = `${head}${begin}\n<!-- prettier-ignore-start -->\n\n${table()}\n\n<!-- prettier-ignore-end -->\n`;
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(docs, page);
  expect(readFileSync(docs, 'utf8')).toBe(page);
});

function table(): string {
  const lines = rows.map((entry) => {
    const { Class, contract } = toolOf(entry);
    const field = contract.inputSchema.properties?.['field'];
    const name = constraintsOf([Class]).at(-1)?.name ?? '';
    const check = contract.check === undefined ? 'no' : 'yes';
    return `| ${code(entry.written)} | ${code(JSON.stringify(field))} | ${check} | ${constraintMapping(name)?.remark ?? ''} |`;
  });
  lines.push(`| ${code('@ValidatePromise()')} | refused at registration | | |`);
  return ['| decorator | JSON Schema | own check too | remark |', '| --- | --- | --- | --- |', ...lines].join(
    '\n',
  );
}

test('the one decorator that can only be waited for is refused', () => {
  expect(() => toolOf(row('@ValidatePromise()', classValidator.ValidatePromise(), {}))).toThrow(
    'Sample.field has @ValidatePromise, which must be waited for',
  );
});

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
