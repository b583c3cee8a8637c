import { type SchemaObject, interpretArguments } from 'toolmend';
import type { JsonValue } from '../../src/json/value.ts';
import { SchemaViews } from '../../src/schema/schema-view.ts';
import { StrictChecks } from '../../src/validate/strict-checks.ts';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  objectOf,
  recordOf,
  type Schema,
  text,
  whole,
} from '../repair/sample-schemas.ts';

const link = '[a.ts](http://a.ts)';
const tagged: Schema = { type: 'string', 'x-toolmend': { semantic: 'path' } };
const content: Schema = { type: 'string', 'x-toolmend': { semantic: 'content' } };

/** Where links became paths, and misspelt keys declared ones. */
function changed(schema: Schema, value: object, strict?: object): readonly string[] {
  const tool = strict === undefined ? {} : { tool: { strict } };
  const result = interpretArguments(schema, { value }, tool);
  if (result.status === 'rejected') throw new Error(result.message);
  expect(interpretArguments(schema, { value: result.value }, tool).status).toBe('unchanged');
  return result.repairs.map(({ path }) => path);
}

describe('names of paths', () => {
  test('end in a word for paths, in any casing', () => {
    const names =
      'path|paths|file|files|filename|filenames|filepath|filepaths|dir|dirs|directory|directories|folder|folders|rootDir|root_dir|root-dir|root.dir|root dir|ROOT_DIR|Path|dir_|dir2Path|my.last-filePath';
    for (const name of names.split('|')) {
      expect(changed(objectOf({ [name]: text }), { [name]: link })).toEqual([`/${name}`]);
    }
  });

  test('are no words that contain one', () => {
    const names =
      'pathology|profile|fileSize|file_size|path.count|directorys|dirty|pathless|foldery|xfile|_|';
    for (const name of names.split('|')) {
      expect(changed(objectOf({ [name]: text }), { [name]: link })).toEqual([]);
    }
  });

  test('count only if the tool says so', () => {
    const schema = objectOf({ path: text, target: tagged });
    const value = { path: link, target: link };
    expect(changed(schema, value)).toEqual(['/path', '/target']);
    expect(changed(schema, value, { paths: 'names', spellings: true })).toEqual(['/path', '/target']);
    expect(changed(schema, value, { paths: 'declared', spellings: true })).toEqual(['/target']);
    expect(changed(schema, value, { paths: 'off', spellings: true })).toEqual([]);
  });
});

describe('links', () => {
  const tree: Schema = {
    ...objectOf({ top: { $ref: '#/$defs/node' } }),
    $defs: { node: closedOf({ path: text, below: listOf({ $ref: '#/$defs/node' }) }) },
  };

  test.each<[string, Schema, object, readonly string[]]>([
    ['in a map of paths', recordOf(tagged), { a: link, b: 'x' }, ['/a']],
    ['under a name in a map, which is data', recordOf(text), { path: link }, []],
    [
      'under a name beside a map',
      { ...recordOf(text), properties: { path: text } },
      { path: link, file: link },
      ['/path'],
    ],
    [
      'by pattern',
      { type: 'object', patternProperties: { '^p': tagged, '^q': text } },
      { p1: link, q1: link },
      ['/p1'],
    ],
    [
      'in a tuple',
      objectOf({ a: { type: 'array', prefixItems: [text, tagged] } }),
      { a: [link, link, link] },
      ['/a/1'],
    ],
    [
      'behind a tuple',
      objectOf({ a: { type: 'array', prefixItems: [text], items: tagged } }),
      { a: [link, link] },
      ['/a/1'],
    ],
    [
      'in a tuple with a name',
      objectOf({ files: { type: 'array', prefixItems: [text], items: false } }),
      { files: [link] },
      ['/files/0'],
    ],
    [
      'in lists in a list',
      objectOf({ files: listOf(listOf(text)) }),
      { files: [[link, 'a'], [], ['b', link]] },
      ['/files/0/0', '/files/2/1'],
    ],
    [
      'in the elements of a tagged list of lists',
      objectOf({ x: listOf(listOf(text), { 'x-toolmend': { semantic: 'path' } }) }),
      { x: [[link]] },
      ['/x/0/0'],
    ],
    [
      'in an object in a list of paths, where it has a name of its own',
      objectOf({ files: listOf(objectOf({ note: text, path: text })) }),
      { files: [{ note: link, path: link }] },
      ['/files/0/path'],
    ],
    ['in content in a list of paths', objectOf({ files: listOf(content) }), { files: [link] }, []],
    ['in branches that agree', objectOf({ path: anyOf(text, listOf(text)) }), { path: [link] }, ['/path/0']],
    [
      'in branches that agree about one of two',
      objectOf({ o: anyOf(objectOf({ path: text, b: text }), objectOf({ path: text, b: tagged })) }),
      { o: { path: link, b: link } },
      ['/o/path'],
    ],
    ['in branches that do not agree', objectOf({ path: anyOf(text, content) }), { path: link }, []],
    [
      'in the only branch that takes it',
      objectOf({ o: anyOf(closedOf({ a: whole }), closedOf({ path: text })) }),
      { o: { path: link } },
      ['/o/path'],
    ],
    [
      'in a union in a list of paths',
      objectOf({ files: listOf(anyOf(text, whole)) }),
      { files: [1, link] },
      ['/files/1'],
    ],
    [
      'in an object in itself',
      tree,
      { top: { below: [{ path: link }, { below: [{ path: link }] }] } },
      ['/top/below/0/path', '/top/below/1/below/0/path'],
    ],
    ['at a place that takes anything', objectOf({ path: {} }), { path: link }, ['/path']],
    [
      'at a place of numbers or text',
      objectOf({ path: { type: ['string', 'integer'] } }),
      { path: link },
      ['/path'],
    ],
    [
      'in what nothing is said of',
      objectOf({ path: { type: 'object' }, o: {} }),
      { path: { path: link }, o: [{ path: link }] },
      [],
    ],
  ])('%s', (_title, schema, value, paths) => {
    expect(changed(schema, value)).toEqual(paths);
  });
});

describe('misspelt keys', () => {
  const open = objectOf({ maxSize: whole });

  test.each<[string, Schema, object, readonly string[]]>([
    ['in an open object', open, { max_size: 1, other: 2 }, ['/max_size']],
    ['below', objectOf({ o: open }), { o: { max_size: 1 } }, ['/o/max_size']],
    ['in a list', objectOf({ o: listOf(open) }), { o: [{ maxSize: 1 }, { max_size: 1 }] }, ['/o/1/max_size']],
    [
      'in a tuple',
      objectOf({ o: { type: 'array', prefixItems: [flag, open] } }),
      { o: [true, { max_size: 1 }] },
      ['/o/1/max_size'],
    ],
    ['in a map', recordOf(open), { MaxSize: { max_size: 1 } }, ['/MaxSize/max_size']],
    [
      'by pattern',
      { type: 'object', patternProperties: { '^x': open } },
      { x: { max_size: 1 } },
      ['/x/max_size'],
    ],
    [
      'in the branches of a union',
      objectOf({ o: anyOf(open, text) }),
      { o: { max_size: 1 } },
      ['/o/max_size'],
    ],
    [
      'of a map’s declared key, which are data',
      { ...recordOf(whole), properties: { maxSize: whole } },
      { max_size: 1 },
      [],
    ],
    [
      'of an object beside patterns, which are data',
      { ...open, patternProperties: { '^y': whole } },
      { max_size: 1 },
      [],
    ],
    [
      'where branches do not agree',
      objectOf({ o: anyOf(open, objectOf({ minSize: whole })) }),
      { o: { max_size: 1 } },
      [],
    ],
    ['in an object that declares nothing', objectOf({ o: { type: 'object' } }), { o: { max_size: 1 } }, []],
  ])('%s', (_title, schema, value, paths) => {
    expect(changed(schema, value)).toEqual(paths);
  });

  test('are keys like others where the caller says so', () => {
    expect(changed(open, { max_size: 1 }, { paths: 'names', spellings: false })).toEqual([]);
    expect(changed(open, { max_size: 1 }, { paths: 'off', spellings: true })).toEqual(['/max_size']);
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

  test('have each branch tried once', () => {
    const schema = objectOf({ u: anyOf(twice, objectOf({ path: text })) });
    expect(triesOf(schema, { u: { path: link, note: link } })).toEqual({ tries: 2, found: ['/u/path'] });
  });

  test('in unions are tried once at each place', () => {
    const $defs = { leaf: anyOf(twice, objectOf({ path: text })) };
    const leaf: Schema = { $ref: '#/$defs/leaf' };
    const schema = objectOf({ u: anyOf(closedOf({ l: leaf }), objectOf({ l: leaf })) }, [], { $defs });
    expect(triesOf(schema, { u: { l: { path: link } } })).toEqual({ tries: 4, found: ['/u/l/path'] });
    const held = { path: link };
    expect(triesOf(objectOf({ a: leaf, b: leaf }, [], { $defs }), { a: held, b: held })).toEqual({
      tries: 4,
      found: ['/a/path', '/b/path'],
    });
  });

  test('are not tried if nothing can fail in them', () => {
    const dull = anyOf(closedOf({ a: whole }), closedOf({ b: whole }));
    const value = { path: link, u: { a: 1 }, l: [{ a: 1 }], m: { k: { a: 1 } }, t: [{ b: 1 }] };
    const tuple: Schema = { type: 'array', prefixItems: [dull] };
    const schema = objectOf({ path: text, u: dull, l: listOf(dull), m: recordOf(dull), t: tuple });
    expect(triesOf(schema, value)).toEqual({ tries: 0, found: ['/path'] });
    expect(triesOf(schema, value, 'off')).toEqual({ tries: 0, found: [] });
  });
});

test.each<[string, object]>([
  ['text', { path: 'a.ts', o: { b: 'x' } }],
  ['an empty list and object', { path: '', l: [], o: {} }],
  ['null and scalars', { n: null, f: true, i: 1 }],
  ['keys of JavaScript', JSON.parse('{"__proto__": {"a": 1}, "constructor": [1], "toString": null}')],
])('a value with %s comes back as it is', (_title, value) => {
  const schema = objectOf({
    path: text,
    l: listOf(tagged),
    o: objectOf({ b: text }),
    n: {},
    f: flag,
    i: whole,
  });
  const result = interpretArguments(schema, { value });
  expect(result).toMatchObject({ status: 'unchanged' });
  expect(Reflect.get(result, 'value')).toEqual(value);
});
