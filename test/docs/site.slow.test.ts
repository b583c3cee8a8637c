// The site as `npm run site` builds it, walked in Debian's Chromium.
import { writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { brokenLinks } from '../../scripts/site/broken-links.ts';
import { runCommand } from '../checks/run-command.ts';
import { projectFolder } from '../checks/project-folder.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { isTooWide, launchChromium, openContext, until } from '../page/chromium.ts';
import { startStaticHost } from './static-host.ts';

const site = join(projectFolder, 'dist-site');
let server: Server;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  const { status, output } = runCommand(projectFolder, 'npm', ['run', '--silent', 'site']);
  expect({ status, output }).toMatchObject({
    status: 0,
    output: expect.stringContaining('\n0 broken links\n'),
  });
  ({ server, origin } = await startStaticHost(site));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
  server.close();
});

/** Waits until VitePress has taken the page over: what is clicked before is not heard. */
const isAlive = (page: Page): Promise<void> =>
  until(
    page,
    `document.querySelector('#app > .Layout') === null || '__vue_app__' in document.querySelector('#app')`,
  );

/** A page, and the errors that it reports. */
async function open(path: string, width: number): Promise<readonly [Page, readonly string[]]> {
  const context = await openContext(browser, { width, height: 800, colorScheme: 'light' });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(origin + path, { waitUntil: 'networkidle' });
  await isAlive(page);
  return [page, errors];
}

test('search finds a page, and the dark side stays', async () => {
  const [page, errors] = await open('/', 1280);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('gateway');
  await page.locator('.result').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/gateway.html**');
  await page.getByRole('heading', { level: 1, name: 'Gateway' }).waitFor();

  await page.locator('.VPNavBarAppearance button').click();
  await page.reload({ waitUntil: 'networkidle' });
  await isAlive(page);
  expect(await page.locator('html').getAttribute('class')).toContain('dark');
  expect(errors).toEqual([]);
  await page.context().close();
});

test('results are bars as well, and say the same as their table', async () => {
  const [page, errors] = await open('/suite/RESULTS.html', 1280);
  const chart = page.locator('.chart').first();
  const [width = ''] = await chart
    .locator('i.right')
    .evaluateAll((parts) => parts.map((part) => part.getAttribute('style') ?? ''));
  const cells = await page.locator('tbody tr').first().locator('td').allTextContents();
  const [, all, right] = cells.map(Number);

  expect(width).toBe(`width:${((Number(right) * 100) / Number(all)).toFixed(2)}%;`);
  expect(await chart.locator('em').first().textContent()).toBe(
    `${((Number(right) * 100) / Number(all)).toFixed(1)}% right`,
  );
  expect(await page.locator('.chart').count()).toBe(8);
  expect(errors).toEqual([]);
  await page.context().close();
});

test('Try is a page of its own', async () => {
  const [page, errors] = await open('/', 1280);
  await page.getByRole('link', { name: 'Try', exact: true }).first().click();
  await page.waitForURL('**/try/**');
  await page.locator('textarea').first().waitFor();
  await page.getByRole('link', { name: /documentation/ }).click();
  await page.locator('.VPNav').waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
});

test('Try shows a text beside the numbers of its four repairs', async () => {
  const [page, errors] = await open('/try/', 1440);
  const schema = {
    type: 'object',
    properties: {
      start_date: { type: 'string' },
      attendees: { type: 'array', items: { type: 'string' } },
      minutes: { type: 'integer' },
    },
  };
  const call = `{startDate: "2026-12-01", "attendees": "[\\"ann\\"]", "minutes": "15"}`;
  await page.locator('textarea').first().fill(JSON.stringify(schema));
  await page.locator('textarea').last().fill(call);
  const line = page.locator('.raw .cl .ln');
  await line.locator('.rn').nth(3).waitFor();
  const widths = await Promise.all([line, line.locator('code')].map((one) => one.boundingBox()));
  const [whole = 0, text = 0] = widths.map((box) => box?.width);
  expect(text).toBeGreaterThan(whole / 2);
  expect(errors).toEqual([]);
  await page.context().close();
});

test.each([
  '/',
  '/docs/reference/rules.html',
  '/docs/internals/benchmarks.html',
  '/suite/README.html',
  '/try/',
])('%s fits into the width of a phone', async (path) => {
  const [page, errors] = await open(path, 360);
  expect(await isTooWide(page)).toBe(false);
  expect(errors).toEqual([]);
  await page.context().close();
});

test('on a phone, what is missed and wrong is seen without scrolling', async () => {
  const [page] = await open('/docs/internals/accuracy.html', 390);
  const [table] = await page
    .locator('table')
    .evaluateAll((tables) =>
      tables.map(({ clientWidth, scrollWidth }) => ({ clientWidth, scrollWidth })),
    );
  const headings = await page.locator('table').first().locator('th').allTextContents();
  expect(headings.slice(-2)).toEqual(['missed', 'wrong']);
  expect(table?.scrollWidth).toBe(table?.clientWidth);
  expect(await isTooWide(page)).toBe(false);
  await page.context().close();
});

test('on a phone, the cells of a table break no word', async () => {
  const [page] = await open('/docs/reference/exports.html', 390);
  const words = await page
    .locator('td > a > code')
    .evaluateAll((codes) =>
      codes.flatMap((code) =>
        /\W/.test(code.textContent) || code.getClientRects().length === 1 ? [] : [code.textContent],
      ),
    );
  expect(await page.locator('td > a > code').count()).toBeGreaterThan(10);
  expect(words).toEqual([]);
  await page.context().close();
});

test('a link that leads nowhere is found', () => {
  const folder = temporaryFolder();
  const links =
    '<h1 id="there"></h1><a href="#there"></a><a href="#gone"></a><a href="/none.html"></a>';
  writeFileSync(join(folder, 'index.html'), links);

  expect(brokenLinks(folder, '/')).toEqual(['index.html: #gone', 'index.html: /none.html']);
});
