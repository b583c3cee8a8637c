// What a person sees and does while answers of the server are on their way. Each is held by the
// browser until the test lets it go.
import type { Browser, Page, Request, Route } from 'playwright-core';
import { openJournal } from 'toolmend/journal';
import type { PageFiles } from '../../src/page/page-files.ts';
import { laterToasts, openContext, screens, toast } from './chromium.ts';
import { type PageOfPerson, type Program, refunds, startProgram } from './decision-program.ts';

interface Parts {
  readonly browser: Browser;
  readonly files: PageFiles;
}

/** Answers that the browser has and the page doesn't get yet. */
interface Held {
  /** Resolves when the first answer is held. */
  readonly first: Promise<void>;
  /** Gives the page what is held; it has handled it then. Later answers are not held. */
  release(): Promise<void>;
}

async function holdAnswers(
  page: Page,
  isMeant: (request: Request) => boolean,
  most = Number.POSITIVE_INFINITY,
): Promise<Held> {
  const first = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const passed: Promise<void>[] = [];
  const pass = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    first.resolve();
    await released.promise;
    const request = route.request();
    await route.fulfill({ response });
    await (await request.response())?.finished();
  };
  await page.route(
    (url) => url.pathname.startsWith('/api/'),
    (route) => {
      if (passed.length >= most || !isMeant(route.request())) return route.fallback();
      const passing = pass(route);
      passed.push(passing);
      return passing;
    },
  );
  return {
    first: first.promise,
    async release() {
      released.resolve();
      await Promise.all(passed);
      // Two frames: the page has taken the answers, and has drawn what follows from them.
      await page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
      );
    },
  };
}

const pathOf = (request: Request): string => new URL(request.url()).pathname;
const asks = (path: string) => (request: Request) =>
  request.method() === 'GET' && pathOf(request) === path;
const decidesAbout = (id: string) => (request: Request) =>
  request.method() === 'POST' && pathOf(request) === `/api/decisions/${id}`;

export function testLateAnswers(parts: () => Parts): void {
  let program: Program;
  let mara: PageOfPerson;
  beforeAll(async () => {
    program = startProgram(await openJournal(), { files: parts().files });
    mara = await program.page({ by: 'Mara', tenant: 'acme' });
  });
  beforeEach(() => {
    refunds.length = 0;
  });
  afterEach(async () => {
    for (const one of await mara.list())
      await mara.decide(one.id, { decision: one.kind === 'doubt' ? 'give_up' : 'deny' });
  });
  afterAll(() => program.close());

  const open = async (place: string): Promise<Page> => {
    const page = await (await openContext(parts().browser, screens[2])).newPage();
    page.on('pageerror', (error) => {
      throw error;
    });
    await page.goto(new URL(place, mara.url).href);
    return page;
  };
  const close = (page: Page): Promise<void> => page.context().close();
  const ask = (amount: number) => program.ask(`{"payment":"p1","amount":${amount}}`);
  const placeOf = (page: Page) => page.evaluate<string>('location.hash');
  const deny = async (page: Page): Promise<void> => {
    await page.click('.actbar button:has-text("Deny")');
    await page.click('.deny button:has-text("Deny")');
  };
  test('the next call stays when the decided one is read again, and its answer comes late', async () => {
    const [first, doubtful] = [
      await ask(1),
      await program.leaveInDoubt('{"payment":"p2","amount":2}'),
    ];
    const page = await open(`#/decide/${first}`);
    await page.waitForSelector('.args');
    const held = await holdAnswers(page, asks(`/api/decisions/${first}`));
    await deny(page);
    await toast(page, 'refund denied');
    await held.first;
    await page.click(`.queue a[href*="${doubtful}"]`);
    await page.waitForSelector('.settle');
    await held.release();
    await page.click('text=It did not');
    await close(page);
  });

  test('a person who goes to another call, or view, before a decision is answered stays there', async () => {
    const [first, , third] = [await ask(1), await ask(2), await ask(3)];
    const page = await open(`#/decide/${first}`);
    await page.waitForSelector('.args');
    const held = await holdAnswers(page, decidesAbout(first));
    await deny(page);
    await held.first;
    await page.click(`.queue a[href*="${third}"]`);
    await page.waitForSelector('.args:has-text("3")');
    await held.release();
    await toast(page, 'refund denied');
    expect(await placeOf(page)).toContain(third);
    expect(await page.textContent('.args')).toContain('3');

    const other = await holdAnswers(page, decidesAbout(third));
    await deny(page);
    await other.first;
    await page.click('.nav a:has-text("Calls")');
    await page.waitForSelector('.row');
    await other.release();
    await toast(page, 'refund denied');
    expect(await placeOf(page)).toMatch(/^#\/calls/);
    await close(page);
  });

  test('another call can be decided while a decision is on its way', async () => {
    const [first, second] = [await ask(1), await ask(2)];
    const page = await open(`#/decide/${first}`);
    await page.waitForSelector('.args');
    const held = await holdAnswers(page, decidesAbout(first));
    await deny(page);
    await held.first;
    await page.click(`.queue a[href*="${second}"]`);
    await page.waitForSelector('.args:has-text("2")');
    await deny(page);
    await page.waitForSelector('.decided:has-text("Mara decided: denied")');
    await held.release();
    expect(await mara.list()).toEqual([]);
    await close(page);
  });

  test('an edit that the server could not judge says so, and is judged again', async () => {
    const page = await open(`#/decide/${await ask(1)}`);
    await page.waitForSelector('.args');
    let status: number | undefined = 503;
    await page.route(
      (url) => url.pathname.endsWith('/judge'),
      (route) => (status === undefined ? route.fallback() : route.fulfill({ status })),
    );
    await page.keyboard.press('e');
    await page.fill('[data-argument=amount]', '2');
    await page.waitForSelector('.judge.bad:has-text("couldn’t judge this. Trying again.")');
    status = undefined;
    await page.waitForSelector('.judge.ok:has-text("Passes")');
    status = 404;
    await page.fill('[data-argument=amount]', '3');
    await page.waitForSelector('.judge.bad:has-text("refuses to judge this")');
    await close(page);
  });

  test('the first of the list stays shown when another person decides about it', async () => {
    const [first] = [await ask(1), await ask(2)];
    const page = await open('#/decide');
    await page.waitForSelector('.args:has-text("1")');
    const ada = await program.page({ by: 'Ada', tenant: 'acme' });
    await ada.decide(first, { decision: 'deny' });
    await toast(page, 'Ada decided about refund: denied');
    await page.waitForSelector(`.queue a[href*="${first}"]`, { state: 'detached' });
    await page.waitForSelector('.decided:has-text("Ada decided: denied")');
    await close(page);
  });

  test('a person who was too late is told so, and that stays', async () => {
    const first = await ask(1);
    const page = await open(`#/decide/${first}`);
    await page.waitForSelector('.args');
    // The page doesn't hear of the decision of another person before it sends its own.
    const held = await holdAnswers(page, asks(`/api/decisions/${first}`));
    const ada = await program.page({ by: 'Ada', tenant: 'acme' });
    await ada.decide(first, { decision: 'deny' });
    await deny(page);
    await toast(page, 'Ada decided first: denied. Yours didn’t count');
    await held.release();
    await page.waitForSelector('.decided:has-text("Ada decided: denied")');
    expect(await laterToasts(page)).toEqual([]);
    await close(page);
  });

  test('a key that is held approves nothing', async () => {
    const first = await ask(1);
    const page = await open(`#/decide/${first}`);
    await page.waitForSelector('.args');
    for (let times = 0; times < 5; times += 1) await page.keyboard.down('a');
    await page.keyboard.up('a');
    await page.waitForSelector('button:has-text("It is destructive. Approve")');
    expect((await mara.list()).map(({ id }) => id)).toEqual([first]);
    await close(page);
  });

  test('a call that comes while the list is loaded is in it, though the list is older', async () => {
    await ask(1);
    const page = await open('#/try');
    await page.waitForSelector('.try .diff');
    const held = await holdAnswers(page, asks('/api/calls'));
    await page.click('.nav a:has-text("Calls")');
    await held.first;
    await program.ask('{"code":"1"}', 'acme', 'open_door');
    await page.waitForSelector('.row:has-text("open_door")');
    await held.release();
    await page.waitForSelector('.row:has-text("refund")');
    expect(await page.locator('.row:has-text("open_door")').count()).toBe(1);
    await close(page);
  });

  test('a call is shown as it is now, though an older answer comes later', async () => {
    const first = await ask(1);
    const page = await open('#/try');
    await page.waitForSelector('.try .diff');
    const held = await holdAnswers(page, asks(`/api/calls/${first}`), 1);
    await page.goto(new URL(`#/calls/${first}`, mara.url).href);
    await held.first;
    await mara.decide(first, { decision: 'deny' });
    await page.waitForSelector('.detail .dhead .st-valid');
    await held.release();
    expect(await page.locator('.detail .dhead .st-waiting').count()).toBe(0);
    await close(page);
  });

  /** The browser gets the status in place of the answers that are meant, until they are let through. */
  const refuseAnswers = async (page: Page, paths: RegExp, status: number) => {
    let isRefused = true;
    await page.route(
      (url) => paths.test(url.pathname),
      (route) => (isRefused ? route.fulfill({ status, json: {} }) : route.fallback()),
    );
    return {
      letThrough() {
        isRefused = false;
      },
    };
  };
  const banner = (page: Page, text: string) => page.waitForSelector(`#banner:has-text("${text}")`);
  const noBanner = (page: Page) => page.waitForSelector('#banner:empty', { state: 'attached' });

  test.each([
    ['#/calls', /^\/api\/calls$/, '.row:has-text("refund")'],
    ['#/overview', /^\/api\/numbers$/, '.heat td'],
    ['#/decide', /^\/api\/decisions/, '.queue a:has-text("payment: p1")'],
    ['#/alarms', /^\/api\/source$/, 'text=What is watched'],
  ])('%s says that the server fails, and goes on when it answers', async (place, paths, shown) => {
    await ask(1);
    const page = await (await openContext(parts().browser, screens[2])).newPage();
    const refused = await refuseAnswers(page, paths, 503);
    await page.goto(new URL(place, mara.url).href);
    await banner(page, 'The server could not read what is missing here (status 503)');
    refused.letThrough();
    await page.waitForSelector(shown);
    await noBanner(page);
    await close(page);
  });

  test('a call that the server fails to read is not called unknown', async () => {
    const first = await ask(1);
    const page = await open('#/try');
    await page.waitForSelector('.try .diff');
    const refused = await refuseAnswers(
      page,
      new RegExp(`/api/(?:calls|decisions)/${first}$`),
      500,
    );
    await page.goto(new URL(`#/decide/${first}`, mara.url).href);
    await banner(page, 'status 500');
    expect(await page.textContent('.case')).toBe('Loading the call …');
    await page.goto(new URL(`#/calls/${first}`, mara.url).href);
    await page.waitForSelector('.detail:has-text("Loading the call …")');
    refused.letThrough();
    await page.waitForSelector('.detail .st-waiting');
    await noBanner(page);
    await close(page);
  });

  test('a page whose token is refused says so', async () => {
    const page = await open('#/calls');
    await page.waitForSelector('.lf');
    await refuseAnswers(page, /^\/api\/numbers$/, 401);
    await page.click('.nav a:has-text("Overview")');
    await page.waitForSelector('h1:has-text("This page needs its token")');
    await close(page);
  });

  test('what is typed into Try stays, though a chosen tool is read later', async () => {
    await ask(1);
    const page = await open('#/try');
    await page.waitForSelector('.try .diff');
    const held = await holdAnswers(page, asks('/api/calls'));
    await page.selectOption('#try-pick', { label: 'refund' });
    await held.first;
    await page.fill('textarea >> nth=1', '{"path": 7}');
    await held.release();
    expect(await page.inputValue('textarea >> nth=1')).toBe('{"path": 7}');
    await close(page);
  });
}
