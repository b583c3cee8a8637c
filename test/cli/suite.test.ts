import { type SuiteCase, readSuiteCase, suiteVerdict } from '../../src/cli/suite-cases.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { runToolmend } from './run-toolmend.ts';

const broken = temporaryFolder({ 'cases.jsonl': '{"id":"x"}\n' });

test.each([
  [[], 'suite needs --runner'],
  [['--runner', ' '], 'suite needs --runner'],
  [['--runner', 'x', '--level', 'tpyes'], 'there is no level "tpyes"\ndid you mean types?'],
  [['--runner', 'x', 'a', 'b'], 'suite takes one file'],
  [['--runner', 'x', 'none.jsonl'], 'there is no file none.jsonl; the suite is in the repository'],
  [['--runner', 'x', `${broken}/cases.jsonl`], 'cases.jsonl:1 is not a case'],
])('toolmend suite %j is refused', async (args, why) => {
  const { status, stdout, stderr } = await runToolmend('suite', ...args);

  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(why);
});

function caseIn(line: string): SuiteCase {
  const one = readSuiteCase(line);
  if (one === undefined) throw new Error(`not a case: ${line}`);
  return one;
}

test.each([
  [{ accept: { a: 1 } }, { accept: { a: 1 } }, 'right'],
  [{ accept: { a: 1 } }, { accept: { a: '1' } }, 'wrong'],
  [{ accept: { a: 1 } }, { refuse: 'no' }, 'missed'],
  [{ accept: { a: 1 } }, { skip: 'no' }, 'skipped'],
  [{ refuse: true }, { accept: { a: 1 } }, 'wrong'],
  [{ refuse: true }, { refuse: 'no' }, 'right'],
  [{ accept: { a: '{"b":1}' }, jsonText: ['a'] }, { accept: { a: '{ "b": 1 }' } }, 'right'],
])('a case with %j and the answer %j is judged', (expectation, answer, verdict) => {
  const line = { id: 'x', level: 'types', tool: {}, sent: {}, ...expectation };

  expect(suiteVerdict(caseIn(JSON.stringify(line)), answer)).toBe(verdict);
});

test.each([
  '{}',
  '[',
  '{"id":"x","level":"types","tool":{},"sent":{}}',
  '{"id":"x","level":"other","tool":{},"sent":{},"refuse":true}',
])('%s is not a case', (line) => expect(readSuiteCase(line)).toBeUndefined());
