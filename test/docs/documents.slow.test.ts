import { checkDocuments } from './check-documents.ts';
import { block, documents } from './read-documents.ts';

/** Documents with mistakes: they are compiled together with the others, which takes half a minute. */
const planted = (() => {
  const programs = [
    block(
      'ts',
      "import { interpretArguments } from 'toolmend';",
      'interpretArguments({}, { text: "{}" });',
    ),
    block('ts', "import { Tool } from 'toolmend';", 'export const name: number = Tool;'),
    block('ts', "import { Toll } from 'toolmend';", 'export { Toll };'),
    block('ts', "throw new Error('at once');"),
  ];
  const from = (origin: string, text: string): string => `<!-- ${origin} -->\n\n${text}`;
  const quotes = [
    from('examples/plan.ts#one', block('ts', "console.log('one');")),
    from('examples/plan.ts#one', block('ts', "console.log('won');")),
    from('examples/plan.ts#two', block('ts', "console.log('one');")),
    from('examples/gone.ts', block('ts', "console.log('one');")),
    from('output of examples/plan.ts', block('text', 'one')),
    from('output of examples/plan.ts', block('text', 'won')),
    block('text', 'one'),
    block('python', 'print(1)'),
  ];

  return { 'docs/plan.md': programs.join('\n'), 'docs/quotes.md': quotes.join('\n') };
})();
const example = "// #region one\nconsole.log('one');\n// #endregion\nexport const two = 2;\n";

let problems: readonly string[];
let blocks: number;
beforeAll(() => {
  const files = { 'examples/plan.ts': example };
  ({ problems, blocks } = checkDocuments({ ...documents, ...planted }, files));
});

const isPlanted = (problem: string): boolean => /^docs\/(?:plan|quotes)\.md:/.test(problem);

test('programs compile and run, quotations and outputs are right', () => {
  expect(problems.filter((problem) => !isPlanted(problem))).toEqual([]);
  expect(blocks).toBeGreaterThanOrEqual(11 + 12);
});

test('a program without an origin is compiled and run; a quoted block equals its file, and an output what is printed', () => {
  expect(problems.filter(isPlanted)).toEqual([
    expect.stringMatching(
      /^docs\/plan.md:6: does not compile: examples\/docs-plan-md-6.ts\(2,14\): error TS2322/,
    ),
    expect.stringMatching(/^docs\/plan.md:11: does not compile: .* error TS2305/),
    expect.stringMatching(/^docs\/plan.md:16: ends with code 1: [^]*at once/),
    'docs/quotes.md:9: differs from examples/plan.ts',
    'docs/quotes.md:15: differs from examples/plan.ts',
    'docs/quotes.md:21: examples/gone.ts does not exist',
    expect.stringMatching(/^docs\/quotes.md:21: ends with code 1: /),
    'docs/quotes.md:33: is not what examples/plan.ts prints: one\n',
    'docs/quotes.md:37: a block of “text” has no origin',
    'docs/quotes.md:41: a block of “python” cannot be checked',
  ]);
});
