import * as classValidator from 'class-validator';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { contractOf } from 'toolmend';
import type { JsonObject } from '../../src/json/value.ts';
import type { Constructor, ToolContract } from '../../src/tool/tool-contract.ts';
import { fc } from '../seeded-fast-check.ts';
import { type DecoratorRow, decoratorRows } from './decorator-rows.ts';
import { toolWithField } from './sample-tool.ts';
import { compileStrictly } from './strict-ajv.ts';

interface ToolOfRow {
  readonly Class: Constructor;
  readonly contract: ToolContract;
  readonly passesSchema: (value: unknown) => boolean;
}

function toolOf({ decorators }: Pick<DecoratorRow, 'decorators'>): ToolOfRow {
  const Class = toolWithField(...decorators.toReversed());
  const contract = contractOf(Class);
  return { Class, contract, passesSchema: compileStrictly(contract.inputSchema) };
}

const argumentsWith = (value: unknown): Record<string, never> =>
  JSON.parse(JSON.stringify(value === undefined ? {} : { field: value }));

function acceptedByTool({ contract, passesSchema }: ToolOfRow, value: unknown): boolean {
  const sent = argumentsWith(value);
  return passesSchema(sent) && (contract.check?.(sent) ?? []).length === 0;
}

const acceptedByClassValidator = ({ Class, contract }: ToolOfRow, value: unknown): boolean =>
  isAcceptedIn(new Class(), contract, argumentsWith(value));

function isAcceptedIn(instance: object, { binding }: ToolContract, values: JsonObject): boolean {
  if (binding.kind === 'class') binding.fill(instance, values, {});
  return classValidator.validateSync(instance, { forbidUnknownValues: false }).length === 0;
}

const scalars = ['', 'a', 'true', '0', 0, 1, -1, 1.5, true, false, null];
const otherValues = [...scalars, [], ['a'], [1], {}, { x: 1 }, { a: 'b' }];

describe.each(decoratorRows.map((entry) => [entry.written, entry] as const))('%s', (_written, entry) => {
  const tool = toolOf(entry);
  const verdict = (value: unknown) => ({
    value,
    tool: acceptedByTool(tool, value),
    classValidator: acceptedByClassValidator(tool, value),
  });

  test('decides as class-validator does, but for known values', () => {
    for (const value of entry.passes)
      expect(verdict(value)).toEqual({ value, tool: true, classValidator: true });
    for (const value of entry.fails) expect(verdict(value)).toMatchObject({ value, tool: false });
    for (const value of entry.stricter)
      expect(verdict(value)).toEqual({ value, tool: false, classValidator: true });
    const known = new Set(entry.stricter.map((value) => JSON.stringify(value)));
    for (const value of otherValues.filter((other) => !known.has(JSON.stringify(other)))) {
      const { tool: accepted, classValidator: expected } = verdict(value);
      expect({ value, accepted }).toEqual({ value, accepted: expected });
    }
  });

  test('accepts no random string that class-validator refuses', () => {
    const samples = [...entry.passes, ...entry.fails, ...entry.stricter].filter(
      (value) => typeof value === 'string',
    );
    // The keywords count variation selectors, unlike class-validator.
    const letters = [...new Set([...samples.join(''), 'a', '0', ' '])].filter((one) => one !== '\uFE0F');
    const strings = fc.oneof(
      fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 }),
      fc.string({ unit: 'grapheme-ascii' }),
      fc.constantFrom('', ...samples).map((sample) => sample.slice(1)),
    );
    fc.assert(
      fc.property(strings, (value) => !acceptedByTool(tool, value) || acceptedByClassValidator(tool, value)),
      { numRuns: 30 },
    );
  });
});

test('every decorator of class-validator has a row in the tables', () => {
  const names = decoratorRows.map(({ written }) => /^@(\w+)/.exec(written)?.[1] ?? '');
  const exported = Object.keys(classValidator).filter((name) => /^[A-Z][A-Za-z0-9]*[a-z]/.test(name));
  const missing = exported.filter((name) => !names.includes(name) && !noFieldDecorators.has(name));
  expect(exported.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

/** Classes, a decorator on classes, and one that is refused. */
const noFieldDecorators = new Set(
  'MetadataStorage ValidationError ValidationTypes Validator ValidatorConstraint ValidatePromise'.split(' '),
);

const docs = new URL('../../docs/reference/class-validator.md', import.meta.url);
/** `UPDATE_DOCS=1 npm test -- test/classes/class-validator.test.ts` writes the table. */
const begin = '<!-- table: made by test/classes/class-validator.test.ts -->';

test('the table in the docs is what the code does', () => {
  const [head = ''] = existsSync(docs) ? readFileSync(docs, 'utf8').split(begin) : [''];
  const page = `${head}${begin}\n<!-- prettier-ignore-start -->\n\n${table()}\n\n<!-- prettier-ignore-end -->\n`;
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(docs, page);
  expect(readFileSync(docs, 'utf8')).toBe(page);
});

/** The remark on a decorator: remarks are written in the page by hand. */
const remarkOn = (written: string): string => {
  const row = readFileSync(docs, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${code(written)} |`));
  return / \| (?:yes|no) \| (.*) \|$/.exec(row ?? '')?.[1] ?? '';
};

function table(): string {
  const lines = decoratorRows.map((entry) => {
    const Class = toolWithField(...entry.decorators.toReversed());
    const contract = contractOf(Class);
    const field = contract.inputSchema.properties?.['field'];
    const check = contract.check === undefined ? 'no' : 'yes';
    return `| ${code(entry.written)} | ${code(JSON.stringify(field))} | ${check} | ${remarkOn(entry.written)} |`;
  });
  lines.push(`| ${code('@ValidatePromise()')} | refused at registration | | |`);
  return ['| decorator | JSON Schema | own check too | remark |', '| --- | --- | --- | --- |', ...lines].join(
    '\n',
  );
}

test('@ValidatePromise is refused', () => {
  expect(() => toolOf({ decorators: [classValidator.ValidatePromise()] })).toThrow(
    'Sample.field has @ValidatePromise, which is asynchronous',
  );
});

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
