// The fast form, the form that lists failures, toolmend/ajv and Ajv itself agree on random schemas
// and values. A million pairs: PROPERTY_RUNS=50000 npm run test:slow -- test/validate/agreement
import { contractFromSchema } from '../../src/tool/from-schema.ts';
import { validatorOf } from '../../src/validate/validator.ts';
import { mapOf, text } from '../schemas.ts';
import { fc } from '../seeded-fast-check.ts';
import { allValidators, plain } from './all-validators.ts';
import { comparedWithPlainAjv } from './plain-ajv.ts';

test('random schemas and values', () => {
  const key = fc.constantFrom('a', 'b', 'toString');
  const { value } = fc.letrec((below) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(null, true, 0, 1, 2, 3.5, '', 'a', 'bb'),
      fc.array(below('value'), { maxLength: 3 }),
      fc.dictionary(key, below('value')),
    ),
  }));
  const { schema } = fc.letrec((below) => {
    const one = below('schema');
    const several = fc.array(one, { minLength: 1, maxLength: 3 });
    const byKey = fc.dictionary(key, one);
    const limit = fc.nat(3);
    const each = (keywords: string, held: fc.Arbitrary<unknown>) =>
      keywords.split(' ').map((keyword) => fc.tuple(fc.constant(keyword), held));
    const pattern = fc.constantFrom('^a', 't', '^(b+)+$');
    const keyword = fc.oneof(
      ...each('additionalProperties contains else if items not propertyNames then', one),
      ...each('unevaluatedItems unevaluatedProperties', one),
      ...each('allOf anyOf oneOf prefixItems', several),
      ...each('dependentSchemas properties', byKey),
      ...each('maxContains maxItems maxLength maxProperties maximum exclusiveMaximum', limit),
      ...each('minContains minItems minLength minProperties minimum exclusiveMinimum', limit),
      ...each(
        'type',
        fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object'),
      ),
      ...each('enum', fc.array(value, { minLength: 1, maxLength: 2 })),
      ...each('const', value),
      ...each('multipleOf', fc.constantFrom(2, 0.5)),
      ...each('pattern', pattern),
      ...each('uniqueItems', fc.boolean()),
      ...each('required', fc.uniqueArray(key)),
      ...each('patternProperties', fc.dictionary(pattern, one, { maxKeys: 2 })),
      ...each('dependentRequired', fc.dictionary(key, fc.uniqueArray(key))),
      ...each('$ref', fc.constantFrom('#/$defs/tree', '#/$defs/text')),
    );
    const keywords = fc.uniqueArray(keyword, { maxLength: 4, selector: ([name]) => name });
    const made = keywords.map((entries) => Object.fromEntries(entries));
    return { schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), made) };
  });
  const $defs = { tree: mapOf({ $ref: '#/$defs/tree' }), text };
  let accepted = 0;
  let pairs = 0;
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 20, maxLength: 20 }), (inner, values) => {
      const inputSchema = plain({ type: 'object', properties: { inner }, $defs });
      const { views } = validatorOf(
        contractFromSchema({ inputSchema: Object(inputSchema), onUnusableSchema: 'warn' }),
      );
      const accepts = allValidators(views.root);
      const compare = comparedWithPlainAjv(Object(inputSchema));
      for (const argument of values) {
        const sent = { inner: plain(argument) };
        const isAccepted = accepts(sent);
        compare(sent, isAccepted);
        if (isAccepted) accepted += 1;
      }
      pairs += values.length;
    }),
  );
  expect(accepted / pairs).toBeGreaterThan(0.25);
  expect(accepted / pairs).toBeLessThan(0.75);
});
