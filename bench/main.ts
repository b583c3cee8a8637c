// Measures the built package, prints tables, and ends with a non-zero code if a goal isn't met.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

installPeers();
const { bench } = await import('./bench.ts');
process.exitCode = (await bench(process.argv.slice(2))) ? 0 : 1;

/** Packages that toolmend is only compared with are not part of the root's install. */
function installPeers(): void {
  const folder = join(import.meta.dirname, 'peers');
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const isInstalled = (name: string): boolean => existsSync(join(folder, 'node_modules', name));
  if (Object.keys(dependencies).every(isInstalled)) return;
  console.log('Installing what is measured against: npm --prefix bench/peers ci');
  const { status } = spawnSync('npm', ['--prefix', folder, 'ci'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('npm --prefix bench/peers ci failed');
}
