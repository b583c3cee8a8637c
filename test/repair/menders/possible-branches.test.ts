// Does leaving out branches that can't be meant change nothing but the time it takes?
import { fc } from '../../seeded-fast-check.ts';
import { interpretArguments } from 'toolmend';
import { SchemaViews } from '../../../src/contract/schema-view.ts';
import { possibleBranches } from '../../../src/repair/menders/possible-branches.ts';
import { anyOf, closedOf, listOf, objectOf, text, texts, whole } from '../sample-schemas.ts';

const words = [
  'read',
  'Read',
  'write_all',
  'write-all',
  'WriteAll',
  'null',
  'none',
  ' ',
  '1-0',
  '10',
  '[a](b/a)',
];
const word = fc.constantFrom(...words);
const discriminator = fc.oneof(
  word.map((said) => ({ const: said })),
  word.map((said) => ({ enum: [said] })),
  word.map((said) => ({ type: 'string' as const, const: said })),
  fc.constant(text),
);
const branch = fc
  .tuple(discriminator, fc.constantFrom('kind', 'path'), fc.constantFrom(closedOf, objectOf), fc.boolean())
  .map(([said, key, make, isRequired]) =>
    make({ [key]: said, size: whole, names: texts }, isRequired ? [key, 'size'] : ['size']),
  );
const value = fc.record(
  {
    kind: fc.oneof(word, fc.constant(null), fc.integer()),
    path: word,
    Kind: word,
    size: fc.constantFrom('5', 5, 'x'),
    names: fc.constantFrom('a', ['a'], '["a"]'),
  },
  { requiredKeys: ['size'] },
);

test('what is left out is no branch that the value could be brought to fit, alone', () => {
  const counts = { leftOut: 0, repaired: 0 };
  fc.assert(
    fc.property(branch, value, (schema, one) => {
      const root = objectOf({ one: schema });
      const isPossible = possibleBranches(one, [schema], new SchemaViews(root)).length === 1;
      if (!isPossible) counts.leftOut += 1;
      const { outcome } = interpretArguments(root, { value: { one } });
      if (outcome === 'repaired') counts.repaired += 1;
      expect(isPossible || outcome === 'rejected').toBe(true);
    }),
    { numRuns: 500 },
  );
  expect(counts.leftOut).toBeGreaterThan(50);
  expect(counts.repaired).toBeGreaterThan(50);
});

test('a thousand elements of a union of a hundred branches are repaired', () => {
  const branches = Array.from({ length: 100 }, (_branch, at) =>
    closedOf({ kind: { const: `kind ${at}` }, size: whole }, ['kind', 'size']),
  );
  const elements = Array.from({ length: 1000 }, (_element, at) => ({ kind: `kind ${at % 100}`, size: '5' }));
  const input = { value: { list: elements } };
  expect(interpretArguments(objectOf({ list: listOf(anyOf(...branches)) }), input)).toMatchObject({
    outcome: 'repaired',
    value: { list: elements.map((element) => ({ ...element, size: 5 })) },
  });
});
