// `npm run site` builds the site into dist-site/, for any static host; `-- --base /v0.2/` for a host
// that has several versions beside each other. Then checks that each link of it leads somewhere.
import { parseArgs } from 'node:util';
import { execFileSync } from 'node:child_process';
import { brokenLinks } from './site/broken-links.ts';

const { values } = parseArgs({ options: { base: { type: 'string', default: '/' } } });
const run = (program: string, ...args: readonly string[]): void =>
  void execFileSync(process.execPath, [`node_modules/${program}`, ...args], { stdio: 'inherit' });

run('vitepress/bin/vitepress.js', 'build', 'site', '--base', values.base);
run(
  'vite/bin/vite.js',
  'build',
  'page',
  '--config',
  'page/try.config.ts',
  '--outDir',
  '../dist-site/try',
);

const broken = brokenLinks('dist-site', values.base);
for (const link of broken) console.error(link);
console.log(`${broken.length} broken links`);
process.exitCode = broken.length === 0 ? 0 : 1;
