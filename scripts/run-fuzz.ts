// `npm run fuzz`: looks for a text that breaks a law, for some seconds; prints it and fails if there is one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz/fuzz.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
if (!(seconds > 0) || !Number.isInteger(seed))
  throw new TypeError('npm run fuzz -- [--seconds 30] [--seed N]');

console.log(`fuzz: ${seconds} s, seed ${seed}, node ${process.version}`);
const folder = mkdtempSync(join(tmpdir(), 'toolmend-fuzz-'));
try {
  const { runs, kept, branches, found } = await fuzz({ folder, seconds, seed, tools: 200 });
  console.log(`fuzz: ${runs} runs, ${kept} inputs kept, ${branches.taken} of ${branches.all} branches taken`);
  if (found !== undefined) {
    const { tool, text, finishReason } = found.input;
    console.error(`${found.message}\n`);
    console.error(JSON.stringify({ law: found.law, text, finishReason, schema: tool.contract.inputSchema }));
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
