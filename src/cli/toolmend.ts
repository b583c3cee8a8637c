#!/usr/bin/env node
// Can this Node run the command at all? Looked at before anything is imported that an older one can't read.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 12)) {
  void import('./main.ts').then(async ({ main }) => {
    process.exitCode = await main(process.argv.slice(2), process);
    // A module that was checked may keep servers and timers, for which nobody waits once everything is written.
    process.stdout.write('', () => process.stderr.write('', () => process.exit()));
  });
} else {
  process.stderr.write(`toolmend needs Node 22.12 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
}

// Whoever reads the output may stop before its end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
