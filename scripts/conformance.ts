// Reads the tests of inference servers' tool-call parsers with `readCalls`, one JSON object a line
// with `parser`, `text`, `tools` and `calls`, and writes how many come out right into the tables of
// docs/internals/conformance.md: `npm run conformance -- FILE`. Prints which ones don't, so that
// the page can say why.
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type CallInText, DefinitionError, interpretArguments, readCalls } from '../src/index.ts';

interface ParserTest {
  readonly id: string;
  readonly parser: string;
  readonly text: string;
  readonly tools: readonly { readonly name: string; readonly inputSchema: object }[];
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly startsInReasoning?: boolean;
  /** The expectation is that parser's own oddity. */
  readonly quirk?: boolean;
}

/** `other`: calls with other arguments. `extra`: calls in text that has none. */
type Verdict = 'right' | 'missed' | 'other' | 'extra';

const verdicts: readonly Verdict[] = ['right', 'missed', 'other', 'extra'];

/** The arguments that the tool gets; undefined if they are refused. */
function valueOf(call: CallInText, tools: ParserTest['tools']): unknown {
  const interpret = (schema: object) =>
    interpretArguments(
      schema,
      { text: call.arguments },
      { tool: call.name, warn: () => undefined },
    );
  const result = withUsableSchema(
    interpret,
    tools.find(({ name }) => name === call.name)?.inputSchema ?? {},
  );
  return result.status === 'rejected' ? undefined : result.value;
}

/** What a function gives for a schema; if the schema is none, for that of any object. */
function withUsableSchema<Result>(use: (schema: object) => Result, schema: object): Result {
  try {
    return use(schema);
  } catch (error) {
    if (error instanceof DefinitionError) return use({ type: 'object' });
    throw error;
  }
}

function verdictOf({ text, tools, calls, startsInReasoning = false }: ParserTest): Verdict {
  const found = readCalls(text, tools, { startsInReasoning }).calls.flatMap((call) => {
    const value = valueOf(call, tools);
    return value === undefined ? [] : [{ name: call.name, arguments: value }];
  });
  const expected = calls.map(({ name, arguments: sent }) => ({ name, arguments: sent }));
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(found)), expected)) return 'right';
  if (expected.length === 0) return 'extra';
  return found.length < expected.length ? 'missed' : 'other';
}

function tableBy(
  tests: readonly ParserTest[],
  column: string,
  keyOf: (test: ParserTest) => string,
) {
  const rows = [...Map.groupBy(tests, keyOf)].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const lines = rows.map(([key, group]) => {
    const counts = Map.groupBy(group, verdictOf);
    const cells = verdicts.map((verdict) => counts.get(verdict)?.length ?? 0);
    return `| ${key} | ${group.length} | ${cells.join(' | ')} |`;
  });
  return [
    `| ${column} | tests | right | missed | other | extra |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('write npm run conformance -- FILE');
const lines = readFileSync(file, 'utf8').trim().split('\n');
const tests = lines
  .map((line): ParserTest => JSON.parse(line))
  .filter(({ quirk }) => quirk !== true);
for (const test of tests) {
  const verdict = verdictOf(test);
  if (verdict !== 'right') console.log(`${verdict}: ${test.id}`);
}
const tables = `${tableBy(tests, 'all', () => 'all')}

### By server

<!-- prettier-ignore -->
${tableBy(tests, 'server', ({ id }) => id.split('-')[1] ?? '')}

### By parser

<!-- prettier-ignore -->
${tableBy(tests, 'parser', ({ parser }) => parser)}`;
const page = new URL('../docs/internals/conformance.md', import.meta.url);
const [start = '', end = ''] = readFileSync(page, 'utf8').split(
  /(?<=<!-- prettier-ignore -->\n)\| all \|[^]*(?=\n\n<!-- end of tables -->)/,
);
writeFileSync(page, start + tables + end);
