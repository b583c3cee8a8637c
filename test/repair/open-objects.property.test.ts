// Keys of open objects: what an author lets in stays as it came.
import { interpretArguments } from 'toolmend';
import { fc } from '../seeded-fast-check.ts';
import { valueOf } from '../read.ts';

const text = { type: 'string' } as const;
const properties = { id: text, maxResults: text, contentType: text } as const;
const spellings = [
  'max_results',
  'MaxResults',
  'max-results',
  'max results',
  '_id',
  'ID',
  'Id',
  'Content-Type',
  'content_type',
  'other',
] as const;

const sent = fc
  .dictionary(fc.constantFrom('maxResults', ...spellings), fc.string({ maxLength: 4 }), {
    maxKeys: 4,
    noNullPrototype: true,
  })
  .map((others) => ({ id: 'a', ...others }));

const interpret = (schema: object, value: object, effects?: 'destructive') =>
  interpretArguments(
    schema,
    { value },
    effects === undefined ? { tool: 'find' } : { tool: { name: 'find', effects } },
  );

test('an object that is open in writing is never touched', () => {
  const schema = { type: 'object', properties, required: ['id'], additionalProperties: true };
  fc.assert(
    fc.property(sent, (value) => {
      const result = interpret(schema, value);
      expect(result).toMatchObject({ status: 'unchanged', repairs: [] });
      expect(valueOf(result)).toStrictEqual(value);
    }),
  );
});

test('a valid call of a destructive tool is neither changed nor refused for its other keys', () => {
  const schema = { type: 'object', properties, required: ['id'] };
  fc.assert(
    fc.property(sent, (value) => {
      const result = interpret(schema, value, 'destructive');
      expect(result).toMatchObject({ status: 'unchanged', repairs: [] });
      expect(valueOf(result)).toStrictEqual(value);
    }),
  );
});

test('where the schema is silent, a leading underscore and the spelling of a header are names of their own', () => {
  const schema = { type: 'object', properties };
  fc.assert(
    fc.property(fc.constantFrom('_id', 'Content-Type', 'other'), fc.string(), (key, value) => {
      const result = interpret(schema, { [key]: value });
      expect(valueOf(result)).toStrictEqual({ [key]: value });
    }),
  );
});

test('a link in an object that is open in writing, and one that the schema asks for, stay', () => {
  const name = fc.constantFrom('path', 'file', 'outputDir', 'folders', 'note');
  const word = fc.constantFrom('a.ts', 'docs', 'x/y.md');
  const link = word.map((path) => `[${path}](https://${path})`);
  const asked = fc.constantFrom<(value: string) => object>(
    (value) => ({ enum: [value, 'a.ts', 'docs'] }),
    (value) => ({ const: value }),
    () => ({ pattern: '^\\[.+\\]\\(' }),
    ({ length }) => ({ minLength: length }),
  );
  fc.assert(
    fc.property(name, link, asked, fc.boolean(), (key, value, asks, isOpen) => {
      const schema = isOpen
        ? { type: 'object', properties: { [key]: text }, additionalProperties: true }
        : { type: 'object', properties: { [key]: { ...text, ...asks(value) } } };
      const result = interpret(schema, { [key]: value });
      expect(result).toMatchObject({ status: 'unchanged', repairs: [] });
      expect(valueOf(result)).toStrictEqual({ [key]: value });
    }),
  );
});
