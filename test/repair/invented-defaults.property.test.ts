// A default never takes the place of a value that was sent under a name that may mean the same key.
import { interpretArguments } from 'toolmend';
import { fc, propertyRuns } from '../seeded-fast-check.ts';
import { type Schema, listOf, mapOf, objectOf, text, whole } from '../schemas.ts';

const names = fc.constantFrom('maxResults', 'region', 'page_size', 'sortOrder', 'depth');

/** Other ways to write a name. */
const spellings = fc.constantFrom<(name: string) => string>(
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replace(/(?<=[a-z])(?=[A-Z])/, '-'),
  (name) => `_${name}`,
  (name) => name.slice(0, -1),
  (name) => name.slice(1),
  (name) => `${name.slice(0, 2)}${name.charAt(3)}${name.charAt(2)}${name.slice(4)}`,
  (name) => `${name}s`,
  (name) => name.replace(/^(.)/, '$1x'),
  (name) => `new_${name}`,
  (name) => `${name}_value`,
);

/** Where the key is: in the object itself, or somewhere below. */
const places = fc.constantFrom<(member: object) => object>(
  (member) => member,
  (member) => ({ options: member }),
  (member) => ({ options: [{}, { more: member }] }),
  (member) => ({ env: member }),
  (member) => ({ open: { deep: member } }),
  (member) => ({ rows: [{ name: 'a' }, { name: 'b', ...member }] }),
  (member) => ({ open: JSON.stringify(member) }),
);

const schemaWith = (name: string): Schema =>
  objectOf(
    {
      query: text,
      [name]: { ...whole, default: 10 },
      env: mapOf({}),
      open: { type: 'object' },
      rows: listOf(objectOf({ name: text })),
    },
    ['query', name],
  );

test('a default is not invented beside a key that may be meant', () => {
  fc.assert(
    fc.property(names, spellings, places, fc.boolean(), (name, spell, place, isRead) => {
      const sent = { query: 'x', ...place({ [spell(name)]: 5 }) };
      const result = interpretArguments(
        schemaWith(name),
        { value: sent },
        { tool: { name: 'find', effects: isRead ? 'read' : 'write' } },
      );
      expect(result.repairs.map(({ rule }) => rule)).not.toContain('fill_default');
      if (result.status !== 'rejected') expect(result.value).toHaveProperty(name, 5);
    }),
    { numRuns: propertyRuns * 4 },
  );
});

test('beside other keys the default is filled', () => {
  const others = fc.constantFrom('verbose', 'unit', 'A', 'Content-Type', 'x');
  fc.assert(
    fc.property(names, others, places, (name, other, place) => {
      const sent = { query: 'x', ...place({ [other]: 5 }) };
      expect(interpretArguments(schemaWith(name), { value: sent })).toMatchObject({
        status: 'repaired',
        value: { [name]: 10 },
      });
    }),
    { numRuns: propertyRuns * 2 },
  );
});
