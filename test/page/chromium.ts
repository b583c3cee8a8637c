import { existsSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';
import { runCommand } from '../checks/run-command.ts';

/** Debian's Chromium; installed as .ci/run does, on a machine without it. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    const install = 'apt-get update && apt-get install -y --no-install-recommends chromium';
    const { status, output } = runCommand('/', 'sh', ['-c', install]);
    if (status !== 0) throw new Error(output);
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** What people see it on. */
export const screens = [
  { name: 'a phone, light', width: 360, height: 780, colorScheme: 'light' },
  { name: 'a phone, dark', width: 360, height: 780, colorScheme: 'dark' },
  { name: 'a desk, light', width: 1440, height: 900, colorScheme: 'light' },
  { name: 'a desk, dark', width: 1440, height: 900, colorScheme: 'dark' },
] as const;

export type Screen = (typeof screens)[number];

/** In milliseconds. A state that never comes fails a test; a slow machine does not. */
const longestWait = 120_000;

export async function openContext(
  browser: Browser,
  { width, height, colorScheme }: Screen,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(longestWait);
  return context;
}

/** Rows of the list of calls that are looked at: the others are made as these are. */
const mostRows = 12;

/** The problems that axe-core finds, each with the first element that has it. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  // The policy of the page refuses scripts of others; the debugger is not bound by it. It stays until
  // the page is loaded again.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run({ exclude: ['.rows li:nth-child(n + ${mostRows + 1})'] }, { resultTypes: ['violations'] })`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** Whether the page can be scrolled sideways, which no view should need. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth');
