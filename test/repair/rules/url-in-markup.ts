import { testRule } from '../rule-case.ts';
import { anyOf, listOf, text } from '../../schemas.ts';

const url = { ...text, 'x-toolmend': { semantic: 'url' } } as const;
const argument = 'target';
const page = 'https://example.com/a_(b)?c=d#e';

testRule('url_in_markup', {
  untouched: [
    { title: 'an address', argument, schema: url, value: page },
    {
      title: 'an address with a full stop',
      argument,
      schema: url,
      value: 'https://example.com/a.',
    },
    { title: 'other letters', argument, schema: url, value: 'https://de.example.org/Käse' },
    { title: 'another protocol', argument, schema: url, value: 'mailto:ada@example.com' },
    { title: 'a link where text is declared', argument, schema: text, value: `[a](${page})` },
    { title: 'a list', argument, schema: listOf(url), value: [page, 'ftp://example.com/'] },
    { title: 'a union', argument, schema: anyOf(url, { type: 'integer' }), value: page },
  ],
  repaired: [
    ...[
      `<${page}>`,
      `<${page}>.`,
      `"${page}"`,
      `'${page}',`,
      `\`${page}\``,
      `**${page}**`,
      `  ${page}\n`,
      `[${page}](${page})`,
      `[example.com/a_(b)?c=d#e](${page})`,
      `[${page}](<${page}>)`,
    ].map((sent) => ({ title: sent, argument, schema: url, sent, becomes: page })),
    {
      title: 'a link with a title',
      argument,
      schema: url,
      sent: `[The page](${page} "Home").`,
      becomes: page,
    },
    {
      title: 'for a list',
      argument,
      schema: listOf(url),
      sent: [page, `<${page}>`],
      becomes: [page, page],
      repairs: '/target/1',
    },
    {
      title: 'in a union',
      argument,
      schema: anyOf(url, { type: 'integer' }),
      sent: `<${page}>`,
      becomes: page,
    },
  ],
  refused: [
    `see ${page}`,
    `${page} and more`,
    '[https://one.example](https://two.example)',
    '[www.example.com](https://example.org)',
    'example.com/a',
    '<example.com>',
    '[a](b.md)',
    `${page} ${page}`,
    '',
  ].map((sent) => ({
    title: JSON.stringify(sent),
    argument,
    schema: url,
    sent,
    issues: 'url /target',
  })),
});
