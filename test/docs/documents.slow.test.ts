import { checkDocuments } from './check-documents.ts';
import { block, documents } from './read-documents.ts';

test('programs compile and run, quotations and outputs are right', () => {
  const { problems, blocks } = checkDocuments(documents);

  expect(problems).toEqual([]);
  expect(blocks).toBeGreaterThanOrEqual(11);
});

test('a program without an origin is compiled and run', () => {
  const good = block(
    'ts',
    "import { interpretArguments } from 'toolmend';",
    'interpretArguments({ type: "object" }, { text: "{}" });',
  );
  const type = block('ts', "import { Tool } from 'toolmend';", 'export const name: number = Tool;');
  const missing = block('ts', "import { Toll } from 'toolmend';", 'export { Toll };');
  const run = block('ts', "throw new Error('at once');");

  const { problems } = checkDocuments({ 'docs/plan.md': [good, type, missing, run].join('\n') });

  expect(problems).toEqual([
    expect.stringMatching(
      /^docs\/plan.md:6: does not compile: examples\/docs-plan-md-6.ts\(2,14\): error TS2322/,
    ),
    expect.stringMatching(/^docs\/plan.md:11: does not compile: .* error TS2305/),
    expect.stringMatching(/^docs\/plan.md:16: ends with code 1: [^]*at once/),
  ]);
});

test('a quoted block equals its file, and an output equals what the program prints', () => {
  const files = {
    'examples/plan.ts': "// #region one\nconsole.log('one');\n// #endregion\nexport const two = 2;\n",
  };
  const from = (origin: string, text: string): string => `<!-- ${origin} -->\n\n${text}`;
  const document = [
    from('examples/plan.ts#one', block('ts', "console.log('one');")),
    from('examples/plan.ts#one', block('ts', "console.log('won');")),
    from('examples/plan.ts#two', block('ts', "console.log('one');")),
    from('examples/gone.ts', block('ts', "console.log('one');")),
    from('output of examples/plan.ts', block('text', 'one')),
    from('output of examples/plan.ts', block('text', 'won')),
    block('text', 'one'),
    block('python', 'print(1)'),
  ].join('\n');

  const { problems } = checkDocuments({ 'docs/plan.md': document }, files);

  expect(problems).toEqual([
    'docs/plan.md:9: differs from examples/plan.ts',
    'docs/plan.md:15: differs from examples/plan.ts',
    'docs/plan.md:21: examples/gone.ts does not exist',
    expect.stringMatching(/^docs\/plan.md:21: ends with code 1: /),
    'docs/plan.md:33: is not what examples/plan.ts prints: one\n',
    'docs/plan.md:37: a block of “text” has no origin',
    'docs/plan.md:41: a block of “python” cannot be checked',
  ]);
});
