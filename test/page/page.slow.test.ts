// The page of the packed package, served by its command, in Debian's Chromium.
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openJournal } from 'toolmend/journal';
import { readPageFiles } from '../../src/page/page-files.ts';
import { installPackedPackage } from '../checks/packed-package.ts';
import { runCommand } from '../checks/run-command.ts';
import { temporaryFolder } from '../checks/temporary-folder.ts';
import { startStaticHost } from '../docs/static-host.ts';
import {
  accessibilityProblems,
  isTooWide,
  launchChromium,
  openContext,
  pressForView,
  screens,
  toast,
  until,
} from './chromium.ts';
import { testLateAnswers } from './late-answers.ts';
import { testOverview } from './overview.ts';
import { startRelay } from './relay.ts';
import { type PageOfPerson, type Program, refunds, startProgram } from './decision-program.ts';

let browser: Browser;
let url: string;
let command: ChildProcess;
const project = await installPackedPackage();
const dist = join(project, 'node_modules/toolmend/dist');
const log = join(temporaryFolder(), 'calls.jsonl');
const recordedCalls = ['reported', 'systems']
  .flatMap((name) => readFileSync(`test/cases/${name}.jsonl`, 'utf8').split('\n'))
  .filter((line) => line !== '')
  .map((line): object => JSON.parse(line));

const lineOf = (call: object, at: number): string =>
  `${JSON.stringify({ run: 'r1', ...call, time: new Date(at).toISOString() })}\n`;

beforeAll(async () => {
  browser = await launchChromium();
  const start = Date.now() - recordedCalls.length * 60_000;
  writeFileSync(log, recordedCalls.map((call, at) => lineOf(call, start + at * 60_000)).join(''));
  ({ command, url } = await startCommand(log));
});

afterAll(async () => {
  command.kill();
  await browser.close();
});

interface Started {
  readonly command: ChildProcess;
  readonly url: string;
}

async function startCommand(file: string, ...others: readonly string[]): Promise<Started> {
  const started = spawn(
    process.execPath,
    [join(dist, 'cli/toolmend.js'), 'ui', '--log', file, ...others],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, PAGE_TOKEN: 'right-token' } },
  );
  for await (const chunk of started.stdout) {
    const [address] = /http:\S+/.exec(String(chunk)) ?? [];
    if (address !== undefined) return { command: started, url: address };
  }
  throw new Error('toolmend ui has ended');
}

const onDesk = screens[2];

async function openPage(place: string, screen: (typeof screens)[number] = onDesk): Promise<Page> {
  const context = await openContext(browser, screen);
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  page.on('request', (request) => expect(new URL(request.url()).origin).toBe(new URL(url).origin));
  await page.goto(url + place);
  return page;
}

const schemaBox = 'textarea >> nth=0';
const callBox = 'textarea >> nth=1';

const close = (page: Page): Promise<void> => page.context().close();

/** The sizes of the files of the page, which are gzipped, in bytes. */
function fileSizes(): ReadonlyMap<string, number> {
  const files = readdirSync(join(dist, 'page-files'), { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, statSync(join(parentPath, name)).size]),
  );
}

test('the page has at most 80 KB, gzipped; the repair engine is loaded by Try alone', async () => {
  const isEngine = ([name]: readonly [string, number]) => name.startsWith('judge-draft');
  const [engine, page] = [true, false].map((wanted) =>
    [...fileSizes()]
      .filter((file) => isEngine(file) === wanted)
      .reduce((sum, [, size]) => sum + size, 0),
  );
  expect(page).toBeLessThanOrEqual(80 * 1024);
  expect(engine).toBeLessThanOrEqual(130 * 1024);
  const shown = await openPage('#/calls');
  const loaded: string[] = [];
  shown.on('request', (request) => loaded.push(request.url()));
  await shown.waitForSelector('.row');
  expect(loaded.join()).not.toContain('judge-draft');
  await pressForView(shown, 't');
  await shown.waitForSelector('.try .diff');
  expect(loaded.join()).toContain('judge-draft');
  await close(shown);
});

describe.each(screens)('on $name', (screen) => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage('#/calls', screen);
  });
  afterAll(() => close(page));

  const check = async (): Promise<void> => {
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
  };

  test.each([
    ['#/calls', '.row'],
    ['#/calls?status=rejected', '.row:has(.st-rejected)'],
    ['#/calls?tool=none', '.nohit'],
  ])(
    '%s has no problem of accessibility, and needs no sideways scrolling',
    async (place, selector) => {
      await page.goto(url + place);
      await page.waitForSelector(selector);
      await check();
    },
  );

  test('so has Try, with a repaired and with a rejected call', async () => {
    await page.goto(`${url}#/try`);
    await page.waitForSelector('.try .diff');
    await check();
    await page.fill(callBox, '{"path": 1, "nothing": {}}');
    await page.waitForSelector('.out .st-rejected');
    await check();
  });

  test.each(['repaired', 'rejected', 'valid'])('a %s call, too', async (status) => {
    await page.goto(`${url}#/calls?status=${status}`);
    await page.click(`.row:has(.st-${status}) >> nth=0`);
    await page.waitForSelector(`.detail .dhead .st-${status}`);
    await page.waitForSelector('.diff');
    await check();
  });
});

test('by keyboard: filter, move through the list, copy a call as a test case, and back', async () => {
  const page = await openPage('#/calls');
  await page.waitForSelector('.row');
  await page.keyboard.press('/');
  await page.keyboard.type('status:repaired rule:rename_k');
  await page.keyboard.press('Enter');
  await until(page, 'location.hash.includes("status=repaired&rule=rename_key")');
  const rows = '[...document.querySelectorAll(".row")]';
  await until(
    page,
    `${rows}.length > 0 && ${rows}.every((row) => row.innerText.includes("rename_key"))`,
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.waitForSelector('.reps');
  expect(await page.textContent('.reps')).toContain(
    'The key is another spelling of a declared one.',
  );
  const first = await page.evaluate('location.hash');
  await page.keyboard.press('j');
  await until(page, `location.hash !== ${JSON.stringify(first)}`);
  await page.waitForSelector('.diff');
  await page.keyboard.press('c');
  await toast(page, 'Test case copied');
  const copied: unknown = JSON.parse(await page.evaluate('navigator.clipboard.readText()'));
  expect(copied).toMatchObject({ expect: { outcome: 'repaired' } });
  await page.keyboard.press('Escape');
  await page.waitForSelector('.pick');
  await page.keyboard.press('Escape');
  await until(page, '!location.hash.includes("rename_key")');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  await close(page);
});

test('Try, by keyboard: a recorded call is opened, changed, copied as a test case and as a link', async () => {
  const page = await openPage('#/calls?rule=text_to_integer');
  await page.waitForSelector('.row');
  await page.keyboard.press('j');
  await page.waitForSelector('.diff');
  await page.keyboard.press('t');
  await page.waitForSelector('.out .st-repaired');
  const sent = await page.inputValue(callBox);
  await page.focus(callBox);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('[');
  await page.waitForSelector('.out .st-rejected');
  expect(await page.textContent('.out .msg')).toContain('was not executed');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(sent);
  await page.waitForSelector('.out .st-repaired');
  expect(await page.textContent('.out .reps')).toContain('It is read as an integer.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('c');
  await toast(page, 'Test case copied');
  const line: unknown = JSON.parse(await page.evaluate('navigator.clipboard.readText()'));
  expect(line).toMatchObject({ inputText: sent, expect: { outcome: 'repaired' } });
  await page.keyboard.press('l');
  await toast(page, 'Link copied');
  const link: string = await page.evaluate('navigator.clipboard.readText()');
  await close(page);
  const other = await openAt(link);
  await other.waitForSelector('.out .st-repaired');
  expect(await other.inputValue(callBox)).toBe(sent);
  await close(other);
});

test('Try, by mouse: a tool on record, a pasted definition, and an answer in which its call stands', async () => {
  const page = await openPage('#/try');
  const [{ tool: recorded = '' } = {}] = recordedCalls.map((call): { tool?: string } => call);
  await page.selectOption('#try-pick', { label: recorded });
  await until(
    page,
    `document.querySelector('.tool-name input').value === ${JSON.stringify(recorded)}`,
  );
  const definition = {
    name: 'look',
    effects: 'read',
    inputSchema: { type: 'object', properties: { depth: { type: 'integer' } } },
  };
  await page.fill('.tool-name input', '');
  await page.fill(schemaBox, JSON.stringify(definition));
  await page.fill(
    callBox,
    'Yes.\n<tool_call>{"name":"look","arguments":{"depth":"2"}}</tool_call>',
  );
  await page.waitForSelector('text=Read as an answer with a call of look');
  expect(await page.textContent('.reps')).toContain('text_to_integer');
  await page.click('text=Read it as argument text');
  await page.waitForSelector('text=Read as argument text');
  await page.fill(schemaBox, '{');
  await page.waitForSelector('text=The schema is not JSON: it');
  await close(page);
});

test('a new call is shown by itself; while the reader has scrolled, it waits', async () => {
  const page = await openPage('#/calls');
  await page.waitForSelector('.row');
  const call = { tool: 'new_tool', status: 'unchanged', model: 'm' };
  appendFileSync(log, lineOf(call, Date.now()));
  await page.waitForSelector('.row:has-text("new_tool")');
  // The page hears of it before it draws the next frame.
  await page.evaluate(
    'document.querySelector(".rows").scrollTop = 400; new Promise(requestAnimationFrame)',
  );
  appendFileSync(log, lineOf({ ...call, tool: 'other_tool' }, Date.now()));
  await page.waitForSelector('button:has-text("1 new call")');
  expect(await page.isVisible('.row:has-text("other_tool")')).toBe(false);
  await page.click('button:has-text("1 new call")');
  await page.waitForSelector('.row:has-text("other_tool")');
  await close(page);
});

test('after a lost connection, no call is missing', async () => {
  const file = join(temporaryFolder(), 'calls.jsonl');
  writeFileSync(file, '');
  const first = await startCommand(file);
  const relay = await startRelay(first.url);
  const page = await openAt(`${relay.url}#/calls`);
  await page.waitForSelector('.nohit');
  relay.lead(undefined);
  first.command.kill();
  await page.waitForSelector('#banner:has-text("Connection lost")');
  appendFileSync(file, lineOf({ tool: 'meanwhile', status: 'unchanged' }, Date.now()));
  const second = await startCommand(file);
  relay.lead(second.url);
  await page.waitForSelector('.row:has-text("meanwhile")');
  await page.waitForSelector('#banner:empty', { state: 'attached' });
  second.command.kill();
  await close(page);
  relay.close();
});

async function openAt(address: string): Promise<Page> {
  const page = await (await openContext(browser, onDesk)).newPage();
  await page.goto(address);
  return page;
}

test('10,000 calls scroll, and few of their rows are in the document', async () => {
  const file = join(temporaryFolder(), 'calls.jsonl');
  const start = Date.now() - 10_000_000;
  const lines = Array.from({ length: 10_000 }, (_none, index) =>
    lineOf({ tool: `tool_${index}`, status: 'unchanged' }, start + index * 1_000),
  );
  writeFileSync(file, lines.join(''));
  const many = await startCommand(file);
  const page = await openAt(`${many.url}#/calls`);
  await page.waitForSelector('.row');
  for (let rows = 0; rows < 10_000;) {
    await page.evaluate('document.querySelector(".rows").scrollTop = 1e9');
    await until(page, `document.querySelector('.rows .all').clientHeight / 32 > ${rows}`);
    rows = await page.evaluate('document.querySelector(".rows .all").clientHeight / 32');
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  await page.evaluate('document.querySelector(".rows").scrollTop = 1e9');
  await page.waitForSelector('.row:has-text("tool_0")');
  expect(await page.locator('.row').count()).toBeLessThan(100);
  many.command.kill();
  await close(page);
});

test('without the token, the browser gets nothing', async () => {
  const guarded = await startCommand(log, '--token-env', 'PAGE_TOKEN');
  const response = await fetch(guarded.url);
  expect(response.status).toBe(401);
  const allowed = await openContext(browser, onDesk, {
    httpCredentials: { username: '', password: 'right-token' },
  });
  const inside = await allowed.newPage();
  await inside.goto(`${guarded.url}#/calls`);
  await inside.waitForSelector('.row');
  guarded.command.kill();
  await allowed.close();
});

test('Try stands alone on a static site, and asks nothing of a server', async () => {
  const folder = temporaryFolder();
  const build = ['vite', 'build', 'page', '--config', 'page/try.config.ts', '--outDir', folder];
  expect(runCommand(process.cwd(), 'npx', build)).toMatchObject({ status: 0 });
  const { server, origin } = await startStaticHost(folder);
  const page = await (await openContext(browser, onDesk)).newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${origin}/`);
  await page.waitForSelector('.out .st-repaired');
  await page.selectOption('#try-pick', 'example:1');
  await page.fill(callBox, '{"filePath": 1}');
  await page.waitForSelector('.out .msg');
  expect(asked.every((path) => path === '/' || path.startsWith('/assets/'))).toBe(true);
  expect(await accessibilityProblems(page)).toEqual([]);
  await close(page);
  server.close();
});

const parts = () => ({ browser, files: readPageFiles(join(dist, 'page-files')) ?? new Map() });

describe('over the demonstration', () => testOverview(parts));

describe('while answers are on their way', () => testLateAnswers(parts));

describe('Decide', () => {
  let program: Program;
  let mara: PageOfPerson;
  beforeAll(async () => {
    const { files } = parts();
    program = startProgram(await openJournal(), { files });
    mara = await program.page({ by: 'Mara', tenant: 'acme' });
  });
  beforeEach(() => {
    refunds.length = 0;
  });
  afterAll(() => program.close());

  const openDecision = async (
    id: string,
    { url: address } = mara,
    screen: (typeof screens)[number] = onDesk,
  ): Promise<Page> => {
    const page = await (await openContext(browser, screen)).newPage();
    page.on('pageerror', (error) => {
      throw error;
    });
    await page.goto(new URL(`#/decide/${id}`, address).href);
    await page.waitForSelector('.case h2');
    return page;
  };
  test.each(screens)('on $name: looking, editing, denying, in doubt, nothing', async (screen) => {
    const id = await program.ask('{"payment":"p1","amount":"250"}');
    const doubtful = await program.leaveInDoubt('{"payment":"p2","amount":2}');
    const page = await openDecision(id, mara, screen);
    const check = async () => {
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await isTooWide(page)).toBe(false);
    };
    await page.waitForSelector('.args');
    await page.keyboard.press('e');
    await page.fill('[data-argument=amount]', 'many');
    await page.waitForSelector('.judge.bad');
    await check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('d');
    await page.waitForSelector('.deny');
    await check();
    await page.goto(new URL(`#/decide/${doubtful}`, mara.url).href);
    await page.waitForSelector('.settle');
    await check();
    for (const one of await mara.list())
      await mara.decide(one.id, { decision: one.kind === 'doubt' ? 'give_up' : 'deny' });
    await page.waitForSelector('.decided');
    await page.goto(new URL('#/decide', mara.url).href);
    await page.waitForSelector('.empty');
    await check();
    await close(page);
  });

  test('by keyboard alone: approve, edit, deny with a reason, settle', async () => {
    const ask = (amount: number) => program.ask(`{"payment":"p1","amount":"${amount}"}`);
    const [approved, edited, denied] = [await ask(1), await ask(2), await ask(3)];
    const doubtful = await program.leaveInDoubt('{"payment":"p2","amount":4}');
    const page = await openDecision('');
    await pressForView(page, 'd');
    await page.waitForSelector('.args');
    await page.keyboard.press('a');
    await page.waitForSelector('button:has-text("It is destructive. Approve")');
    expect(refunds).toEqual([]);
    await page.keyboard.press('Enter');
    await toast(page, 'refund approved: completed');
    expect(refunds).toEqual(['p1 1']);
    expect((await mara.find(approved)).end).toEqual({ what: 'ran', by: 'Mara' });

    await until(page, `location.hash.includes('${edited}')`);
    await page.waitForSelector('.args');
    await page.keyboard.press('e');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('0');
    await page.waitForSelector('.err:has-text("at least 1")');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('20');
    await page.waitForSelector('.judge.ok:has-text("Passes")');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Enter');
    await toast(page, 'refund approved: completed');
    expect(refunds).toEqual(['p1 1', 'p1 20']);

    await until(page, `location.hash.includes('${denied}')`);
    await page.waitForSelector('.args');
    await page.keyboard.press('d');
    await page.waitForSelector('.deny');
    await page.keyboard.type('Ask for a ticket number.');
    await page.keyboard.press('Control+Enter');
    await toast(page, 'refund denied');
    expect((await mara.find(denied)).end).toEqual({ what: 'denied', by: 'Mara' });

    await until(page, `location.hash.includes('${doubtful}')`);
    await page.waitForSelector('.settle');
    await page.keyboard.press('s');
    await toast(page, 'refund settled as done');
    await page.waitForSelector('.decided, .empty');
    expect(refunds).toEqual(['p1 1', 'p1 20']);
    await close(page);
  });

  test('by mouse: an edit is left, a call denied, another one runs again', async () => {
    const id = await program.ask('{"payment":"p5","amount":"5"}');
    const doubtful = await program.leaveInDoubt('{"payment":"p6","amount":6}');
    const page = await openDecision(id);
    await page.click('button:has-text("Edit")');
    await page.fill('[data-argument=amount]', '50');
    await page.waitForSelector('button:has-text("Approve as edited")');
    await page.click('button:has-text("Stop editing")');
    expect(await page.textContent('.args')).not.toContain('50');
    await page.click('button:has-text("Deny")');
    await page.fill('.deny textarea', 'Not today.');
    await page.click('.deny button:has-text("Deny")');
    await toast(page, 'refund denied');
    await page.click(`.queue a[href*="${doubtful}"]`);
    await page.click('text=It did not');
    await page.click('button:has-text("Settle")');
    await toast(page, 'refund runs again: completed');
    expect(refunds).toEqual(['p6 6']);
    await close(page);
  });

  test('two people at once: the list of one follows the other, who counts, and one is told', async () => {
    const [first, second] = [
      await program.ask('{"payment":"p7","amount":7}'),
      await program.ask('{"payment":"p8","amount":8}'),
    ];
    const ada = await program.page({ by: 'Ada', tenant: 'acme' });
    const [one, other] = [await openDecision(first), await openDecision(first, ada)];
    await Promise.all([one, other].map((page) => page.waitForSelector('.args')));
    await one.keyboard.press('d');
    await one.keyboard.press('Control+Enter');
    await toast(other, 'Mara decided about refund: denied');
    await other.waitForSelector('.decided:has-text("Mara decided: denied")');
    const facts = await other.textContent('.facts');
    expect(facts).toContain('Why it waited');
    expect(facts).not.toMatch(/waits|Nothing has run|One decision counts/);
    await until(other, `!document.querySelector('.queue').innerHTML.includes('${first}')`);

    await other.goto(new URL(`#/decide/${second}`, ada.url).href);
    const pages = [one, other];
    await Promise.all(pages.map((page) => page.waitForSelector('.args')));
    await Promise.all(pages.map((page) => page.keyboard.press('a')));
    await Promise.all(pages.map((page) => page.keyboard.press('Enter')));
    await Promise.all(pages.map((page) => toast(page, /approved|decided/)));
    expect(refunds).toEqual(['p8 8']);
    await Promise.all(pages.map(close));
  });

  test('a page without tools says what to do, and has nothing to press', async () => {
    const id = await program.ask('{"payment":"p9","amount":9}');
    const page = await openDecision(id, await program.page({ tools: undefined }));
    await page.waitForSelector('.obstacle:has-text("This page reads a journal and has no tools")');
    expect(await page.textContent('.obstacle pre')).toContain('await tools.resolveApproval("');
    expect(await page.locator('.actbar button:enabled').count()).toBe(0);
    await close(page);
    await mara.decide(id, { decision: 'deny' });
  });
});
