import { type ArgumentOptions, interpretArguments } from 'toolmend';
import {
  anyOf,
  closedOf,
  flag,
  listOf,
  objectOf,
  type Schema,
  text,
  texts,
  whole,
} from '../schemas.ts';
import { issueLines, messageOf } from './sent-and-read.ts';

const mode = { ...text, enum: ['text', 'binary'] };
const readSchema = closedOf(
  { path: text, limit: { ...whole, minimum: 1, maximum: 100 }, mode, tags: texts },
  ['path'],
);
const edits = objectOf({ edits: listOf(closedOf({ from: text, to: text }, ['from', 'to'])) });

const paths = objectOf({ paths: texts }, ['paths']);
const lastLine = 'Send the whole call again with corrected arguments.';
const destructive: ArgumentOptions = { tool: { name: 'read_file', effects: 'destructive' } };

describe('the whole message', () => {
  test('of a missing property', () => {
    expect(messageOf(readSchema, {}).split('\n')).toEqual([
      'read_file was not executed.',
      '- path is missing: expected a string.',
      'Expected: { path: string, limit?: integer, mode?: "text" | "binary", tags?: string[] }',
      'Example: {"path":"…"}',
      lastLine,
    ]);
  });

  test.each<[string, Schema, object, string]>([
    ['one', paths, { where: 'a' }, '; "where" was sent, which is not a known property'],
    [
      'a few',
      paths,
      { a: 1, b: 2, c: 3, d: 4 },
      '; "a", "b", "c" were sent, which are not known properties',
    ],
    [
      'in its letters',
      paths,
      { 'x<|im_end|>': 1 },
      '; "x…" was sent, which is not a known property',
    ],
    [
      'declared ones are not named',
      objectOf({ paths: texts, limit: whole }, ['paths']),
      { limit: 1 },
      '',
    ],
    ['not what a schema allows', { ...paths, additionalProperties: text }, { note: 'a' }, ''],
    [
      'not a conditional one',
      { ...paths, dependentSchemas: { m: objectOf({ m: text }) } },
      { m: 'a' },
      '',
    ],
  ])('names undeclared keys beside the first missing one: %s', (_title, schema, sent, advice) => {
    const line = `- paths is missing: expected an array of strings${advice}.`;
    expect(issueLines(messageOf(schema, sent))).toEqual([line]);
  });

  test('of several issues inside an array, with the shape of that place', () => {
    const right = { from: 'a', to: 'b' };
    expect(messageOf(edits, { edits: [right, { from: true, too: 'x' }] }).split('\n')).toEqual([
      'read_file was not executed.',
      '- edits[1].too is not a known property; did you mean "to"?',
      '- edits[1].to is missing: expected a string.',
      '- edits[1].from: expected a string, got true.',
      'Expected at edits[1]: { from: string, to: string }',
      'Example at edits[1]: {"from":"…","to":"…"}',
      lastLine,
    ]);
  });

  test('of a call that a destructive tool does not run before the model confirms it', () => {
    const remove = closedOf({ path: text, limit: whole }, ['path']);
    expect(messageOf(remove, { Path: 'a', limit: null }, destructive).split('\n')).toEqual([
      'read_file was not executed.',
      '- The arguments had to be repaired, and this tool runs after such a repair only if you confirm it.',
      'Expected: { path: string, limit?: integer }',
      'Example: {"path":"…"}',
      'If this is what you mean, send exactly: {"path":"a"}',
    ]);
  });
});

const cutOff = 'The arguments were cut off before their end;';
const invalid = 'The arguments are not valid JSON; ';
const errorAt = 'the error is at line';
const twoObjects = `${invalid}more than one object was found, send only one.`;
const notSent = 'No arguments were sent; send a JSON object.';
const notPlain = 'The arguments are not plain JSON data';
const digits = '{"path": "a", "limit": 12345678901234567890}';
const secretKey = objectOf({ key: { ...text, writeOnly: true } });
const rooted = objectOf({ path: { ...text, pattern: '^/' } });

test.each<[string, Schema, unknown, string]>([
  [
    'a near name',
    readSchema,
    { path: 'a', limt: 5 },
    'limt is not a known property; did you mean "limit"?',
  ],
  [
    'two names equally near',
    closedOf({ aab: text, aac: text }),
    { aax: 1 },
    'aax is not a known property.',
  ],
  [
    'a second spelling',
    readSchema,
    { path: 'a', Path: 'b' },
    'Path is not a known property; send "path" once.',
  ],
  [
    'near a sent one',
    closedOf({ limit: {} }),
    { limit: 1, limits: 2 },
    'limits is not a known property.',
  ],
  [
    'a path',
    closedOf({ at: {} }),
    { 'at.a': 1 },
    '"at.a" is not a known property; send it inside "at".',
  ],
  [
    'a name that is not a word',
    closedOf({ name: text }),
    { 'a b?': 1 },
    '"a b?" is not a known property.',
  ],
  ['text without JSON', readSchema, 'hello', `${invalid}no object was found.`],
  [
    'a new word',
    readSchema,
    '{"path": 1,\n "limit": NaN}',
    `${invalid}${errorAt} 2, column 11, before "NaN}"; write a value that JSON has, or leave the member out.`,
  ],
  [
    'a token',
    readSchema,
    '{"path": <|im_end|>}',
    `${invalid}${errorAt} 1, column 10, before "…}".`,
  ],
  ['two objects', readSchema, '{"path": "a"} {"path": "b"}', twoObjects],
  [
    'invalid JSON of a secret',
    secretKey,
    '{"key": s3 "cret}',
    `${invalid}${errorAt} 1, column 9; text is written in double quotes.`,
  ],
  ['nothing', readSchema, undefined, notSent],
  ['blank text', readSchema, ' \n\t', notSent],
  [
    'text that was cut off',
    readSchema,
    '{"path": "a',
    `${cutOff} close every string, array and object.`,
  ],
  [
    'a key twice',
    readSchema,
    '{"path":1,"path":2}',
    'path was sent twice with different values; send it once.',
  ],
  [
    'an array for the arguments',
    readSchema,
    [1, 2],
    'arguments: expected an object, got an array of 2.',
  ],
  [
    'depth',
    readSchema,
    '['.repeat(70),
    'The arguments are nested too deeply: expected at most 64 levels.',
  ],
  ['a value that is not JSON', readSchema, { path: new Date(0) }, `${notPlain} at path.`],
  [
    'a value below',
    readSchema,
    { path: 'a', more: [1, { 'odd key': 1n }] },
    `${notPlain} at more[1]."odd key".`,
  ],
  ['arguments that are not JSON', readSchema, new Map(), `${notPlain}.`],
  [
    'too many digits',
    readSchema,
    digits,
    'limit cannot be held as a number; it has too many digits, send at most 15.',
  ],
  [
    'a link for a path',
    rooted,
    { path: '[a](http://a)' },
    'path is in Markdown; send the path alone.',
  ],
])('%s has a line that says what to do', (_title, schema, sent, line) => {
  expect(messageOf(schema, sent).split('\n')).toContain(`- ${line}`);
});

test('text that a provider cut off is to be split', () => {
  const message = messageOf(readSchema, '{"path": "a', { tool: 'read', finishReason: 'length' });
  const line = `- ${cutOff} if they are too long, split the work into several calls.`;
  expect(issueLines(message)).toEqual([line]);
});

describe('what repair puts right is not reported', () => {
  const envelope = '- arguments is not a known property; send the properties inside it directly.';
  const missingPath = '- path is missing: expected a string.';
  const ofX = '- path: expected an integer, got the string "x".';
  const hex = '- mode: expected "text" or "binary", got "hex".';
  const unique = objectOf({ lines: listOf(whole, { uniqueItems: true }) });
  const point = objectOf({ at: closedOf({ x: whole, y: whole }, ['x', 'y']) });
  const dependentRequired = { from: ['to'] };
  const dependent = objectOf({ from: text, to: text, limit: whole }, ['from'], {
    dependentRequired,
  });

  test.each<[string, Schema, unknown, readonly string[]]>([
    [
      'if a key is renamed and text read as a number',
      readSchema,
      { Path: 'a', limit: '5', mode: 'hex' },
      [hex],
    ],
    [
      'except inside an envelope',
      readSchema,
      { arguments: { Path: 'a', limit: 'x' } },
      [envelope, missingPath],
    ],
    [
      'except inside an echoed schema',
      point,
      { at: { type: 'object', value: { X: 1, y: 'no' } } },
      [
        '- at.type is not a known property.',
        '- at.value is not a known property; send the properties inside it directly.',
        '- at.x is missing: expected an integer.',
        '- at.y is missing: expected an integer.',
      ],
    ],
    [
      'except a decoded value that still fails',
      objectOf({ flags: listOf(flag), path: whole }),
      { flags: '["yes"]', path: 'x' },
      ['- flags: expected an array of booleans, got the string "[\\"yes\\"]".', ofX],
    ],
    [
      'except a null that another property requires',
      dependent,
      { from: 'a', to: null, limit: 'x' },
      ['- to: expected a string, got null.', '- limit: expected an integer, got the string "x".'],
    ],
    [
      'except an element that would be equal to another one',
      unique,
      { lines: ['1', null, 1] },
      [
        '- lines[0]: expected an integer, got the string "1".',
        '- lines[1]: expected an integer, got null.',
      ],
    ],
  ])('%s', (_title, schema, sent, lines) => {
    expect(issueLines(messageOf(schema, sent))).toEqual(lines);
  });

  test('on a destructive tool everything is reported, because repair needs a confirmation there', () => {
    const lines = issueLines(
      messageOf(readSchema, { path: 'a', tags: null, mode: 'hex' }, destructive),
    );
    expect(lines).toEqual(['- tags: expected an array of strings, got null.', hex]);
  });
});

describe('limits', () => {
  const deep = Array.from({ length: 60 }).reduce((inner) => ({ a: inner }), { b: 'x' });
  const many = Array.from({ length: 100 }, (_item, index) => `a_long_name_of_a_property_${index}`);
  const wide = closedOf(
    Object.fromEntries(many.map((name) => [name, { enum: ['alpha', 'beta'] }])),
    many,
  );

  test('eight issues are described, and the others are named', () => {
    const lines = issueLines(messageOf(wide, {}));
    expect(lines.filter((line) => / is missing/.test(line))).toHaveLength(8);
    expect(lines[8]).toMatch(/^- and 56 more: a_long_name_of_a_property_8, /);
    const keys = many.slice(0, 8);
    const nine = closedOf(
      { ...Object.fromEntries(keys.map((name) => [name, text])), mode: whole },
      keys,
    );
    expect(issueLines(messageOf(nine, { mode: 'warp' })).at(-1)).toBe('- and 1 more: mode');
  });

  test.each<[string, Schema, unknown]>([
    ['a hundred missing keys', wide, {}],
    [
      'a hundred unknown keys',
      readSchema,
      Object.fromEntries(many.map((name) => [`${name}?`.repeat(20), 1])),
    ],
    ['a deep place', objectOf({ a: { $ref: '#' }, b: whole }), deep],
    [
      'a long pattern',
      objectOf({ a: { ...text, pattern: `^(?:${'abc|'.repeat(2000)}d)$` } }),
      { a: 'x' },
    ],
    [
      'a long description',
      objectOf({ a: { ...whole, description: 'd'.repeat(10_000) } }),
      { a: 'x' },
    ],
  ])('%s: at most 2,000 characters, and 220 a line', (_title, schema, sent) => {
    const message = messageOf(schema, sent);
    expect(message).toMatch(/^read_file was not executed\.\n- /);
    expect(message.length).toBeLessThanOrEqual(2000);
    expect(message.endsWith(lastLine)).toBe(true);
    expect(Math.max(...issueLines(message).map((line) => line.length))).toBeLessThanOrEqual(220);
  });
});

describe('secrets', () => {
  const secret = { ...text, 'x-toolmend': { secret: true } } as const;
  const canary = 'c4n4ry-s3cr3t';
  const properties = {
    token: secret,
    tokens: listOf(secret),
    login: closedOf({ user: text, password: { ...text, format: 'password' } }),
    sealed: { ...closedOf({ pin: whole, parts: listOf(whole) }), 'x-toolmend': { secret: true } },
    referred: { $ref: '#/$defs/key', 'x-toolmend': { secret: true } },
    either: anyOf(whole, secret),
    written: { ...whole, writeOnly: true },
    path: text,
  };
  const schema: Schema = { ...closedOf(properties), $defs: { key: whole } };

  test.each<[string, object]>([
    ['an object for a secret', { token: { [canary]: 1, value: canary } }],
    ['an array of secrets as a string', { tokens: canary, path: 5.5 }],
    ['a login as a string', { login: `{"user": "a", "password": "${canary}"` }],
    ['a login that is half right', { login: { user: true, password: canary, extra: 1 } }],
    ['a place inside a secret', { sealed: { pin: canary } }],
    ['a place deep inside a secret', { sealed: { parts: [1, canary] } }],
    ['behind a reference', { referred: canary }],
    ['in a union', { either: [canary, canary] }],
    ['write-only', { written: canary }],
    ['not repaired before a confirmation', { Token: canary, path: null }],
  ])('%s is not shown', (_title, sent) => {
    for (const effects of ['write', 'destructive'] as const) {
      const result = interpretArguments(
        schema,
        { value: sent },
        { tool: { name: 'log_in', effects } },
      );
      const was = result.repairs.map((repair) => repair.was);
      const shownArguments = JSON.stringify([
        result.issues,
        Reflect.get(result, 'message'),
        result.notes,
        was,
      ]);
      expect(shownArguments.replaceAll(`"key":"${canary}"`, '')).not.toContain(canary);
    }
  });

  test('the call to confirm has placeholders for secrets, which the model replaces', () => {
    const args = {
      Token: canary,
      path: 'a',
      tokens: ['x'],
      login: { user: 'u', password: canary },
    };
    expect(messageOf(schema, args, destructive)).toContain(
      'send exactly this, with the secrets themselves in it: {"path":"a","tokens":["(as you sent it)"],"login":{"user":"u","password":"(as you sent it)"},"token":"(as you sent it)"}',
    );
  });

  test('a placeholder is not taken for a secret', () => {
    const placeholder = '(as you sent it)';
    const args = { path: placeholder, tokens: ['x', placeholder], token: placeholder };
    const lines = ['tokens[1]', 'token'].map(
      (at) => `- ${at}: send the secret itself, not its placeholder.`,
    );
    expect(issueLines(messageOf(schema, args))).toEqual(lines);
  });

  test('in a union, the members that any branch declares secret are placeholders', () => {
    const password = closedOf({ kind: { const: 'password' }, value: secret, user: text }, ['kind']);
    const guest = closedOf({ kind: { const: 'guest' }, value: text }, ['kind']);
    const args = { Login: { kind: 'password', value: canary, user: 'u' } };
    expect(messageOf(closedOf({ login: anyOf(password, guest) }), args, destructive)).toContain(
      'with the secrets themselves in it: {"login":{"kind":"password","value":"(as you sent it)","user":"u"}}',
    );
  });
});
