// A plain program: prints where it runs, and what becomes of every case of the given files, in one line each.
import { readFileSync } from 'node:fs';
import { interpretArguments } from '../../src/index.ts';

const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions();
console.log(`${locale} ${timeZone}`);
for (const file of process.argv.slice(2)) {
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { schema, input, inputText, options, tool } = JSON.parse(line);
    const sent = inputText === undefined ? { value: input } : { text: inputText };
    const named = tool === null ? {} : { tool };
    console.log(JSON.stringify(interpretArguments(schema, sent, { ...options, ...named })));
  }
}
