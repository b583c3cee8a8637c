/**
 * Takes the picture of the page in the README: `npm run picture`. Needs Chromium, and the page as
 * `npm run build` has made it.
 */
import { statSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { startPageServer } from '../src/cli/page-server.ts';
import { makeDemoCalls } from '../src/cli/page-demo/demo-calls.ts';
import { JournalCalls, journalHints } from '../src/page/journal-calls.ts';
import { readPageFiles } from '../src/page/page-files.ts';
import { RegistryDecisions } from '../src/page/registry-decisions.ts';

const path = 'docs/internals/page.png';
const files = readPageFiles();
if (files === undefined) throw new Error('The page has not been built: run npm run build.');
const demo = await makeDemoCalls(Date.now());
const { journal, tools } = demo;
const server = await startPageServer({
  data: new JournalCalls(journal, { source: 'npx toolmend ui --demo' }),
  decisions: new RegistryDecisions({ journal, tools }),
  hints: () => journalHints(journal),
  files,
  host: '127.0.0.1',
  port: 0,
  token: undefined,
});
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({
  viewport: { width: 1280, height: 615 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
});
await page.goto(`${server.url}#/overview`);
await page.waitForSelector('.heat td');
await page.screenshot({ path });
console.log(`${path}: ${statSync(path).size} bytes`);
await browser.close();
await server.close();
await demo.close();
