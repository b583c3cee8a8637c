import { type SchemaObject, interpretArguments } from 'toolmend';
import type { JsonValue } from '../../src/json/value.ts';
import { SchemaViews } from '../../src/schema/schema-view.ts';
import { StrictChecks } from '../../src/validate/strict-checks.ts';
import {
  type Schema,
  anyOf,
  closedOf,
  flag,
  listOf,
  mapOf,
  objectOf,
  text,
  texts,
  whole,
} from '../schemas.ts';

const link = '[a.ts](http://a.ts)';
const tagged: Schema = { ...text, 'x-toolmend': { semantic: 'path' } };
const content: Schema = { ...text, 'x-toolmend': { semantic: 'content' } };

/** Paths at which a link became a path, or a misspelt key a declared one. */
function changed(schema: Schema, value: object, strict?: object): readonly string[] {
  const tool = strict === undefined ? {} : { tool: { strict } };
  const result = interpretArguments(schema, { value }, tool);
  if (result.status === 'rejected') throw new Error(result.message);
  expect(interpretArguments(schema, { value: result.value }, tool).status).toBe('unchanged');
  return result.repairs.map(({ path }) => path);
}

describe('a name is one of a path', () => {
  const paths =
    'path|paths|file|files|filename|filenames|filepath|filepaths|dir|dirs|directory|directories|folder|folders|rootDir|root_dir|root-dir|root.dir|root dir|ROOT_DIR|Path|dir_|dir2Path|my.last-filePath';
  const others =
    'pathology|profile|fileSize|file_size|path.count|directorys|dirty|pathless|foldery|xfile|_|';

  test('if its last word is, in any casing', () => {
    for (const name of paths.split('|'))
      expect(changed(objectOf({ [name]: text }), { [name]: link })).toEqual([`/${name}`]);
    for (const name of others.split('|'))
      expect(changed(objectOf({ [name]: text }), { [name]: link })).toEqual([]);
  });

  test.each<[string | undefined, readonly string[]]>([
    [undefined, ['/path', '/target']],
    ['names', ['/path', '/target']],
    ['declared', ['/target']],
    ['off', []],
  ])('only if the tool says so: %s', (strictPaths, expected) => {
    const schema = objectOf({ path: text, target: tagged });
    const strict = strictPaths === undefined ? undefined : { paths: strictPaths, spellings: true };
    expect(changed(schema, { path: link, target: link }, strict)).toEqual(expected);
  });
});

const tuple = (prefixItems: readonly Schema[], more: Schema = {}): Schema => ({
  type: 'array',
  prefixItems,
  ...more,
});
const patterns = (
  patternProperties: NonNullable<Schema['patternProperties']>,
  more: Schema = {},
): Schema => ({ type: 'object', patternProperties, ...more });
const both = { path: link, b: link };
const ofTwo = anyOf(objectOf({ path: text, b: text }), objectOf({ path: text, b: tagged }));
const onlyBranch = anyOf(closedOf({ a: whole }), closedOf({ path: text }));
const node = closedOf({ path: text, below: listOf({ $ref: '#/$defs/node' }) });
const tree = objectOf({ top: { $ref: '#/$defs/node' } }, [], { $defs: { node } });
const deep = { top: { below: [{ path: link }, { below: [{ path: link }] }] } };
const notes = listOf(objectOf({ note: text, path: text }));
const taggedLists = listOf(texts, { 'x-toolmend': { semantic: 'path' } });

test.each<[string, Schema, object, readonly string[]]>([
  ['in a map of paths', mapOf(tagged), { a: link, b: 'x' }, ['/a']],
  ['under a key of a map', mapOf(text), { path: link }, []],
  [
    'beside a map',
    { ...mapOf(text), properties: { path: text } },
    { path: link, file: link },
    ['/path'],
  ],
  ['by pattern', patterns({ '^p': tagged, '^q': text }), { p1: link, q1: link }, ['/p1']],
  ['in a tuple', objectOf({ a: tuple([text, tagged]) }), { a: [link, link, link] }, ['/a/1']],
  [
    'after a tuple',
    objectOf({ a: tuple([text], { items: tagged }) }),
    { a: [link, link] },
    ['/a/1'],
  ],
  [
    'in a named tuple',
    objectOf({ files: tuple([text], { items: false }) }),
    { files: [link] },
    ['/files/0'],
  ],
  [
    'in nested arrays',
    objectOf({ files: listOf(texts) }),
    { files: [['b', link]] },
    ['/files/0/1'],
  ],
  ['in a tagged array of arrays', objectOf({ x: taggedLists }), { x: [[link]] }, ['/x/0/0']],
  [
    'in objects',
    objectOf({ files: notes }),
    { files: [{ note: link, path: link }] },
    ['/files/0/path'],
  ],
  ['in content', objectOf({ files: listOf(content) }), { files: [link] }, []],
  ['in branches that agree', objectOf({ path: anyOf(text, texts) }), { path: [link] }, ['/path/0']],
  ['in branches that agree about one', objectOf({ o: ofTwo }), { o: both }, ['/o/path']],
  ['in branches that disagree', objectOf({ path: anyOf(text, content) }), { path: link }, []],
  ['in the only fitting branch', objectOf({ o: onlyBranch }), { o: { path: link } }, ['/o/path']],
  [
    'in a union in one',
    objectOf({ files: listOf(anyOf(text, whole)) }),
    { files: [1, link] },
    ['/files/1'],
  ],
  ['in recursion', tree, deep, ['/top/below/0/path', '/top/below/1/below/0/path']],
  ['in any value', objectOf({ path: {} }), { path: link }, ['/path']],
  [
    'in one of several types',
    objectOf({ path: { type: ['string', 'integer'] } }),
    { path: link },
    ['/path'],
  ],
  [
    'in undeclared keys',
    objectOf({ path: {}, o: {} }),
    { path: { path: link }, o: [{ path: link }] },
    [],
  ],
])('links are found %s', (_title, schema, value, paths) => {
  expect(changed(schema, value)).toEqual(paths);
});

describe('misspelt keys', () => {
  const open = objectOf({ maxSize: whole });
  const sent = { max_size: 1 };
  const disagreeing = anyOf(open, objectOf({ minSize: whole }));

  test.each<[string, Schema, object, readonly string[]]>([
    ['an open object', open, { ...sent, other: 2 }, ['/max_size']],
    [
      'one whose other keys have the schema {}',
      { ...open, additionalProperties: {} },
      sent,
      ['/max_size'],
    ],
    [
      'a map whose values have the schema {}',
      { type: 'object', additionalProperties: {} },
      sent,
      [],
    ],
    ['an object below', objectOf({ o: open }), { o: sent }, ['/o/max_size']],
    ['an array', objectOf({ o: listOf(open) }), { o: [{ maxSize: 1 }, sent] }, ['/o/1/max_size']],
    ['a tuple', objectOf({ o: tuple([flag, open]) }), { o: [true, sent] }, ['/o/1/max_size']],
    ['a map', mapOf(open), { MaxSize: sent }, ['/MaxSize/max_size']],
    ['an object by pattern', patterns({ '^x': open }), { x: sent }, ['/x/max_size']],
    ['the branches of a union', objectOf({ o: anyOf(open, text) }), { o: sent }, ['/o/max_size']],
    ['a map with declared keys', { ...mapOf(whole), properties: { maxSize: whole } }, sent, []],
    ['an object with patterns', patterns({ '^y': whole }, open), sent, []],
    ['branches that disagree', objectOf({ o: disagreeing }), { o: sent }, []],
    ['an object without declared keys', objectOf({ o: { type: 'object' } }), { o: sent }, []],
  ])('in %s', (_title, schema, value, paths) => {
    expect(changed(schema, value)).toEqual(paths);
  });

  test('are keys like others if the tool says so', () => {
    expect(changed(open, sent, { paths: 'names', spellings: false })).toEqual([]);
    expect(changed(open, sent, { paths: 'off', spellings: true })).toEqual(['/max_size']);
  });
});

describe('unions', () => {
  const start = { path: '', name: undefined, isPath: false } as const;

  /** How often a value is validated against a branch, and where links are found. */
  function triesOf(schema: SchemaObject, value: JsonValue, paths: 'names' | 'off' = 'names') {
    let tries = 0;
    const admits = (): boolean => {
      tries += 1;
      return true;
    };
    const checks = new StrictChecks(new SchemaViews(schema), { paths, spellings: false }, admits);
    const found = checks.failures(value, { ...start, schema }).map(({ path }) => path);
    return { tries, found };
  }

  const twice = closedOf({ path: text, note: text });

  test('in unions are tried once at each place', () => {
    const $defs = { leaf: anyOf(twice, objectOf({ path: text })) };
    const leaf: Schema = { $ref: '#/$defs/leaf' };
    const schema = objectOf({ u: anyOf(closedOf({ l: leaf }), objectOf({ l: leaf })) }, [], {
      $defs,
    });
    expect(triesOf(schema, { u: { l: { path: link } } })).toEqual({
      tries: 4,
      found: ['/u/l/path'],
    });
    const held = { path: link };
    const beside = triesOf(objectOf({ a: leaf, b: leaf }, [], { $defs }), { a: held, b: held });
    expect(beside).toEqual({ tries: 4, found: ['/a/path', '/b/path'] });
  });

  test('are not tried if nothing can fail in them', () => {
    const dull = anyOf(closedOf({ a: whole }), closedOf({ b: whole }));
    const value = { path: link, u: { a: 1 }, l: [{ a: 1 }], m: { k: { a: 1 } }, t: [{ b: 1 }] };
    const schema = objectOf({
      path: text,
      u: dull,
      l: listOf(dull),
      m: mapOf(dull),
      t: tuple([dull]),
    });
    expect(triesOf(schema, value)).toEqual({ tries: 0, found: ['/path'] });
    expect(triesOf(schema, value, 'off')).toEqual({ tries: 0, found: [] });
  });
});
