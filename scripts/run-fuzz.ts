// `npm run fuzz`: looks for a text that breaks a law, for some seconds; prints it and fails if there is one. With
// `--schemas` for a schema that crashes its reader.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz/fuzz.ts';
import { fuzzSchemas, schemaReader } from './fuzz/fuzz-schemas.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    schemas: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
if (!(seconds > 0) || !Number.isInteger(seed))
  throw new TypeError('npm run fuzz -- [--schemas] [--seconds 30] [--seed N]');

console.log(`fuzz: ${seconds} s, seed ${seed}, node ${process.version}`);
if (values.schemas) await runOnSchemas();
else await runOnTexts();

async function runOnSchemas(): Promise<void> {
  const reader = schemaReader(await import('../src/index.ts'));
  const end = performance.now() + seconds * 1000;
  const { runs, ends, found } = fuzzSchemas({ reader, seed, isOver: () => performance.now() > end });
  console.log(`fuzz: ${runs} schemas: ${[...ends].map(([word, count]) => `${count} ${word}`).join(', ')}`);
  if (found === undefined) return;
  console.error(`${found.message}\n\n${JSON.stringify(found.schema)}`);
  process.exitCode = 1;
}

async function runOnTexts(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-fuzz-'));
  try {
    const { runs, kept, branches, found } = await fuzz({ folder, seconds, seed, tools: 200 });
    console.log(
      `fuzz: ${runs} runs, ${kept} inputs kept, ${branches.taken} of ${branches.all} branches taken`,
    );
    if (found !== undefined) {
      const { tool, text, finishReason } = found.input;
      console.error(`${found.message}\n`);
      console.error(
        JSON.stringify({ law: found.law, text, finishReason, schema: tool.contract.inputSchema }),
      );
      process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
