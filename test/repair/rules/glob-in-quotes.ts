import { testRule } from '../rule-case.ts';
import { listOf, text } from '../../schemas.ts';

const glob = { ...text, 'x-toolmend': { semantic: 'glob' } } as const;
const argument = 'only';

testRule('glob_in_quotes', {
  untouched: [
    ...['**/*.ts', '{a,b c}/[!x]?.md', '!node_modules', '"', '', '[a-z]*', '**'].map((value) => ({
      title: JSON.stringify(value),
      argument,
      schema: glob,
      value,
    })),
    { title: 'a list', argument, schema: listOf(glob), value: ['*.ts', '*.tsx'] },
    { title: 'quotes where text is declared', argument, schema: text, value: '"*.ts"' },
  ],
  repaired: [
    ...['"**/*.ts"', "'**/*.ts'", '`**/*.ts`', ' **/*.ts\n', ' "**/*.ts" '].map((sent) => ({
      title: JSON.stringify(sent),
      argument,
      schema: glob,
      sent,
      becomes: '**/*.ts',
    })),
    {
      title: 'an element of a list',
      argument,
      schema: listOf(glob),
      sent: ['*.ts', '"*.tsx"'],
      becomes: ['*.ts', '*.tsx'],
      repairs: '/only/1',
    },
    {
      title: 'one pattern for a list',
      argument,
      schema: listOf(glob),
      sent: '**/*.{ts,tsx}',
      becomes: ['**/*.{ts,tsx}'],
      repairs: 'wrap_in_array /only',
    },
    {
      title: 'a list of one for a pattern',
      argument,
      schema: glob,
      sent: ['**/*.ts'],
      becomes: '**/*.ts',
      repairs: 'unwrap_single /only',
    },
  ],
  refused: [
    ...['"*.ts", "*.tsx"', '""', "''"].map((sent) => ({
      title: JSON.stringify(sent),
      argument,
      schema: glob,
      sent,
      issues: 'glob /only',
    })),
    {
      title: 'several patterns for one',
      argument,
      schema: glob,
      sent: ['*.ts', '*.tsx'],
    },
    {
      title: 'several patterns in one text, for a list',
      argument,
      schema: listOf(glob),
      sent: '*.ts, *.tsx',
    },
  ],
});
