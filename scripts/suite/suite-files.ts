// The generated files of suite/.
import { recordedCases, suiteLine } from './case-files.ts';
import { sourcesOf } from './sources.ts';

/** Names and contents. */
export function suiteFiles(): readonly (readonly [name: string, text: string])[] {
  const cases = recordedCases();
  const lines = cases.map(suiteLine);
  const sources = sourcesOf(cases).map((source) => `  ${JSON.stringify(source)}`);
  return [
    ['cases.jsonl', `${lines.join('\n')}\n`],
    ['sources.json', `[\n${sources.join(',\n')}\n]\n`],
  ];
}
