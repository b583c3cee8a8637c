import { type RepairedRow, testRule } from '../rule-case.ts';
import { anyOf, listOf, objectOf, text, texts } from '../../schemas.ts';

const annotated = { 'x-toolmend': { semantic: 'path' } } as const;
const path = { ...text, ...annotated };
const link = '[a.ts](http://a.ts)';

testRule('md_link_to_path', {
  untouched: [
    { title: 'a path', argument: 'target', schema: path, value: 'src/a.ts' },
    {
      title: 'a link where text is declared',
      argument: 'body',
      schema: text,
      value: '[a.ts](http://a.ts)',
    },
    {
      title: 'backticks where only the name says that it is a path',
      argument: 'path',
      schema: text,
      value: '`project.dataset.table`',
    },
    ...[
      { title: 'a link that the schema lists', schema: { ...path, enum: [link, 'a.ts'] } },
      { title: 'the link that the schema has', schema: { ...path, const: link } },
      { title: 'a link that the pattern asks for', schema: { ...path, pattern: '^\\[' } },
      { title: 'text of a length that only the link has', schema: { ...path, minLength: 12 } },
    ].map((row) => ({ ...row, argument: 'target', value: link })),
    {
      title: 'a link in an object that says it is open, which only its name makes a path',
      schema: objectOf({ path: text }, [], { additionalProperties: true }),
      value: { path: link, file: link },
    },
    ...['`a` and `b`', 'the `a`', '``', '` `', '`a', 'a`b'].map((value) => ({
      title: `other backticks: ${value}`,
      argument: 'target',
      schema: path,
      value,
    })),
    {
      title: 'a link in a sentence',
      argument: 'target',
      schema: path,
      value: 'see [a.ts](http://a.ts)',
    },
  ],
  repaired: [
    {
      title: 'another text',
      argument: 'target',
      schema: { ...path, enum: ['a.ts'] },
      sent: '"a.ts"',
      becomes: 'a.ts',
      repairs: 'enum_spelling /target',
    },
    {
      title: 'the address is the text with a protocol',
      argument: 'target',
      schema: path,
      sent: '[a.ts](http://a.ts)',
      becomes: 'a.ts',
    },
    ...['`src/a.ts`', ' `src/a.ts`\n', '` src/a.ts `'].map((sent) => ({
      title: `in backticks: ${JSON.stringify(sent)}`,
      argument: 'target',
      schema: path,
      sent,
      becomes: 'src/a.ts',
    })),
    {
      title: 'in backticks, with a blank',
      argument: 'to',
      schema: listOf(path),
      sent: ['`my file.ts`', 'b.ts'],
      becomes: ['my file.ts', 'b.ts'],
      repairs: '/to/0',
    },
    {
      title: 'in an object that says it is open',
      schema: objectOf({ target: path }, [], { additionalProperties: true }),
      sent: { target: link },
      becomes: { target: 'a.ts' },
      repairs: '/target',
    },
    {
      title: 'a pattern that the path matches, too',
      argument: 'target',
      schema: { ...path, pattern: 'a' },
      sent: link,
      becomes: 'a.ts',
    },
    {
      title: 'for a list',
      argument: 'to',
      schema: listOf(path),
      sent: '[{a}.ts](http://{a}.ts)',
      becomes: ['{a}.ts'],
      repairs: ['wrap_in_array /to', '/to/0'],
    },
    {
      title: 'in lists of paths',
      argument: 'to',
      schema: listOf(texts, annotated),
      sent: [['[a.ts](http://a.ts)']],
      becomes: [['a.ts']],
      repairs: '/to/0/0',
    },
    {
      title: 'the address is the text',
      argument: 'target',
      schema: path,
      sent: '[src/a.ts](src/a.ts)',
      becomes: 'src/a.ts',
    },
    ...[
      ...'path file filePath FILE_PATH output-dir folders target.directory fileName'.split(' '),
      ...'Directories'.split(' '),
    ].map((name) => ({
      title: `a parameter called ${name}`,
      argument: name,
      schema: text,
      sent: '[a.ts](http://a.ts)',
      becomes: 'a.ts',
    })),
    ...[anyOf(path, listOf(path)), anyOf(listOf(path), path)].map((either, at): RepairedRow => ({
      title: `a link where a path or a list may stand, ${at}`,
      argument: 'target',
      schema: either,
      sent: '[a.ts](http://a.ts)',
      becomes: 'a.ts',
    })),
  ],
  refused: [
    {
      title: 'a path that is a list',
      argument: 'path',
      schema: text,
      sent: ['[a.ts](http://a.ts)', 'b.ts'],
      issues: ['type /path', 'path /path/0'],
    },
    {
      title: 'no match',
      argument: 'path',
      schema: { ...text, pattern: '^/' },
      sent: '[a.ts](http://a.ts)',
      issues: ['pattern /path', 'path /path'],
    },
  ],
});
