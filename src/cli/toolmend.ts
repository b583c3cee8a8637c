#!/usr/bin/env node
// Runs the command, or says in one sentence that this Node is too old for it.
import('../platform/require-node.ts').then(run, (error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});

async function run(): Promise<void> {
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2), process);
  // A checked module may keep servers and timers open; the command ends once its output is written.
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
}

// The reader of the output may stop before its end, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
