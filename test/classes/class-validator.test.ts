import * as classValidator from 'class-validator';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { contractOf } from 'toolmend';
import { fc } from '../seeded-fast-check.ts';
import { type DecoratorRow, decoratorRows } from './decorator-rows.ts';
import { toolWithField } from './sample-tool.ts';
import { compileStrictly } from './strict-ajv.ts';

const classOf = ({ decorators }: Pick<DecoratorRow, 'decorators'>) =>
  toolWithField(...decorators.toReversed());

const argumentsWith = (value: unknown): Record<string, never> =>
  JSON.parse(JSON.stringify(value === undefined ? {} : { field: value }));

/** Whether a value of the field is accepted, by the tool and by class-validator. */
function acceptanceOf(row: DecoratorRow) {
  const Class = classOf(row);
  const { binding, check, inputSchema } = contractOf(Class);
  const passesSchema = compileStrictly(inputSchema);
  const byTool = (value: unknown): boolean => {
    const sent = argumentsWith(value);
    return passesSchema(sent) && (check?.(sent) ?? []).length === 0;
  };
  const byClassValidator = (value: unknown): boolean => {
    const instance: object = Reflect.construct(Class, []);
    if (binding.kind === 'class') binding.fill(instance, argumentsWith(value), {});
    return classValidator.validateSync(instance, { forbidUnknownValues: false }).length === 0;
  };
  return { byTool, byClassValidator };
}

const scalars = ['', 'a', 'true', '0', 0, 1, -1, 1.5, true, false, null];
const otherValues = [...scalars, [], ['a'], [1], {}, { x: 1 }, { a: 'b' }];

describe.each(decoratorRows.map((entry) => [entry.written, entry] as const))(
  '%s',
  (_written, entry) => {
    const { byTool, byClassValidator } = acceptanceOf(entry);

    test('decides as class-validator does, but for known values', () => {
      const known = new Set(entry.stricter.map((value) => JSON.stringify(value)));
      const others = otherValues.filter((value) => !known.has(JSON.stringify(value)));
      expect(entry.passes.map(byTool)).toEqual(entry.passes.map(() => true));
      expect(entry.fails.map(byTool)).toEqual(entry.fails.map(() => false));
      expect(entry.stricter.map(byTool)).toEqual(entry.stricter.map(() => false));
      for (const values of [entry.passes, entry.stricter])
        expect(values.map(byClassValidator)).toEqual(values.map(() => true));
      expect(others.map(byTool)).toEqual(others.map(byClassValidator));
    });

    test('accepts no random string that class-validator refuses', () => {
      const values = [...entry.passes, ...entry.fails, ...entry.stricter];
      const samples = values.filter((value) => typeof value === 'string');
      // The keywords count variation selectors, unlike class-validator.
      const letters = [...new Set([...samples.join(''), 'a', '0', ' '])].filter(
        (one) => one !== '\uFE0F',
      );
      const strings = fc.oneof(
        fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 }),
        fc.string({ unit: 'grapheme-ascii' }),
        fc.constantFrom('', ...samples).map((sample) => sample.slice(1)),
      );
      const law = fc.property(strings, (value) => !byTool(value) || byClassValidator(value));
      fc.assert(law, { numRuns: 30 });
    });
  },
);

test('every decorator of class-validator has a row in the tables', () => {
  const names = decoratorRows.map(({ written }) => /^@(\w+)/.exec(written)?.[1] ?? '');
  const exported = Object.keys(classValidator).filter((name) =>
    /^[A-Z][A-Za-z0-9]*[a-z]/.test(name),
  );
  const missing = exported.filter((name) => !names.includes(name) && !noFieldDecorators.has(name));
  expect(exported.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

/** Classes, a decorator on classes, and one that is refused. */
const noFieldDecorators = new Set(
  'MetadataStorage ValidationError ValidationTypes Validator ValidatorConstraint ValidatePromise'.split(
    ' ',
  ),
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
    const contract = contractOf(classOf(entry));
    const field = contract.inputSchema.properties?.['field'];
    const check = contract.check === undefined ? 'no' : 'yes';
    return `| ${code(entry.written)} | ${code(JSON.stringify(field))} | ${check} | ${remarkOn(entry.written)} |`;
  });
  const head = [
    '| decorator | JSON Schema | own check too | remark |',
    '| --- | --- | --- | --- |',
  ];
  return [
    ...head,
    ...lines,
    `| ${code('@ValidatePromise()')} | refused at registration | | |`,
  ].join('\n');
}

test('@ValidatePromise is refused', () => {
  const contract = () => contractOf(toolWithField(classValidator.ValidatePromise()));
  expect(contract).toThrow('Sample.field has @ValidatePromise, which is asynchronous');
});

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
