import { existsSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium,
} from 'playwright-core';
import { runCommand } from '../checks/run-command.ts';

/** In milliseconds. A state that never comes fails a test; a slow machine does not. */
const longestWait = 120_000;

/** Debian's Chromium; installed as .ci/run does, on a machine without it. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    const install = 'apt-get update && apt-get install -y --no-install-recommends chromium';
    const { status, output } = runCommand('/', 'sh', ['-c', install]);
    if (status !== 0) throw new Error(output);
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: longestWait });
}

/** What people see it on. */
export const screens = [
  { name: 'a phone, light', width: 360, height: 780, colorScheme: 'light' },
  { name: 'a phone, dark', width: 360, height: 780, colorScheme: 'dark' },
  { name: 'a desk, light', width: 1440, height: 900, colorScheme: 'light' },
  { name: 'a desk, dark', width: 1440, height: 900, colorScheme: 'dark' },
] as const;

export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
}

export async function openContext(
  browser: Browser,
  { width, height, colorScheme }: Screen,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  context.setDefaultTimeout(longestWait);
  await context.addInitScript(collectToasts);
  return context;
}

/** Keeps the messages that the page shows for some seconds. */
const collectToasts = `
  globalThis.toasts = [];
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      if (target.id === 'toast') for (const { textContent } of addedNodes) toasts.push(textContent);
  }).observe(document, { childList: true, subtree: true });`;

/** Waits until the page has shown a message, behind the one that was waited for last. */
export const toast = (page: Page, text: RegExp | string): Promise<void> =>
  until(
    page,
    `(() => {
      const at = toasts.findIndex((text) => ${text instanceof RegExp ? `${text}.test(text)` : `text.includes(${JSON.stringify(text)})`});
      return at >= 0 && toasts.splice(0, at + 1).length > 0;
    })()`,
  );

/** The messages behind the one that was waited for last. */
export const laterToasts = (page: Page): Promise<readonly string[]> => page.evaluate('toasts');

/** Waits as long as an expression is not true. The policy of the page refuses Playwright's own way. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let left = 2_400; !(await page.evaluate<boolean>(expression)); left -= 1) {
    if (left === 0) throw new Error(`never: ${expression}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * `g`, and the letter of a view. The clock of the page stands still: after a second, the page would
 * take them for two keys.
 */
export async function pressForView(page: Page, letter: string): Promise<void> {
  await page.clock.setFixedTime(Date.now());
  await page.keyboard.press('g');
  await page.keyboard.press(letter);
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
