// Overview, Alarms and the questions of Decide in a browser, over the calls of `toolmend ui --demo`,
// and a gateway with two models.
import type { Browser, Page } from 'playwright-core';
import type { JournalEntry, StatsRow } from 'toolmend/journal';
import { type DemoCalls, makeDemoCalls } from '../../src/cli/page-demo/demo-calls.ts';
import { type PageServer, startPageServer } from '../../src/cli/page-server.ts';
import { GatewayRecord } from '../../src/gateway/gateway-record.ts';
import { registryCosts } from '../../src/page/known-costs.ts';
import { JournalCalls, journalHints } from '../../src/page/journal-calls.ts';
import type { CallNumbers } from '../../src/page/page-data.ts';
import type { PageFiles } from '../../src/page/page-files.ts';
import { RegistryDecisions } from '../../src/page/registry-decisions.ts';
import { startTestGateway, startUpstream } from '../gateway/scripted-upstream.ts';
import {
  accessibilityProblems,
  isTooWide,
  openContext,
  pressForView,
  screens,
  toast,
} from './chromium.ts';

interface Parts {
  readonly browser: Browser;
  readonly files: PageFiles;
}

const onDesk = screens[2];

/** The text of an element, with plain blanks. */
const textAt = async (page: Page, selector: string): Promise<string> =>
  (await page.innerText(selector)).replaceAll(/[\s\u202f]+/g, ' ').trim();

/** The number at the beginning of a text such as `2 423 of 5 000`. */
const numberAt = async (page: Page, selector: string): Promise<number> =>
  Number((await page.innerText(selector)).replaceAll(/[\s\u202f]/g, ''));

export function testOverview(parts: () => Parts): void {
  let demo: DemoCalls;
  let server: PageServer;
  beforeAll(async () => {
    demo = await makeDemoCalls(Date.now());
    const { journal, tools } = demo;
    server = await startPageServer({
      data: new JournalCalls(journal, { source: 'demo' }),
      decisions: new RegistryDecisions({ journal, tools, by: 'Ada' }),
      hints: () => journalHints(journal),
      costs: registryCosts(tools),
      files: parts().files,
      host: '127.0.0.1',
      port: 0,
      token: undefined,
    });
  });
  afterAll(async () => {
    await server.close();
    await demo.close();
  });

  const open = async (place: string, screen: (typeof screens)[number] = onDesk): Promise<Page> => {
    const page = await (await openContext(parts().browser, screen)).newPage();
    page.on('pageerror', (error) => {
      throw error;
    });
    await page.goto(server.url + place);
    return page;
  };
  const close = (page: Page): Promise<void> => page.context().close();

  test('the demonstration has 5,000 calls: all statuses, three releases, an alarm of each kind, and calls that wait', async () => {
    const { journal } = demo;
    const [all] = await journal.stats({ by: [] });
    expect(all?.calls).toBe(5_000);
    for (const status of ['valid', 'repaired', 'rejected', 'failed'] as const)
      expect([status, (all?.[status] ?? 0) > 10]).toEqual([status, true]);
    const releases = (await journal.stats({ by: 'release' })).map(({ release }) => release);
    expect(new Set(releases)).toEqual(new Set(['1.7.4', '1.8.0', '1.8.1']));
    const data = new JournalCalls(journal, { source: 'demo' });
    const { alarms } = await data.alarms(undefined, Date.now());
    expect(new Set(alarms.map(({ kind }) => kind))).toEqual(
      new Set(['silent', 'repeated', 'rate']),
    );
    const { tools } = demo;
    const waiting = await new RegistryDecisions({ journal, tools }).list();
    expect(new Set(waiting.map(({ kind }) => kind))).toEqual(
      new Set(['approval', 'question', 'doubt']),
    );
    const rates = (await journal.stats({ by: 'model' })).map(({ model, calls, valid }) => ({
      model,
      wrong: 1 - valid / calls,
    }));
    const [clumsy, next] = rates.toSorted((one, other) => other.wrong - one.wrong);
    expect(clumsy?.wrong).toBeGreaterThan(2 * (next?.wrong ?? 1));
  });

  test.each(screens)(
    'on $name: Overview, Alarms and a question have no problem of accessibility',
    async (screen) => {
      // A view that counts nothing: each of the others is loaded once.
      const page = await open('#/decide', screen);
      for (const [place, selector] of [
        ['#/overview?range=all', '.hints tbody tr'],
        ['#/alarms?range=all', '.alarm'],
        [`#/decide/${await questionId()}`, '.ask [data-argument]'],
      ] as const) {
        await page.goto(server.url + place);
        await page.waitForSelector(selector);
        if (place.startsWith('#/overview')) await page.click('.costs .fold >> nth=0');
        expect([place, await accessibilityProblems(page)]).toEqual([place, []]);
        expect([place, await isTooWide(page)]).toEqual([place, false]);
      }
      await close(page);
    },
  );

  const questionId = async (): Promise<string> => {
    const { journal, tools } = demo;
    const waiting = await new RegistryDecisions({ journal, tools }).list();
    return waiting.find(({ kind }) => kind === 'question')?.id ?? '';
  };

  test('the numbers are those of journal.stats, and of a count by hand', async () => {
    const page = await open('#/overview?range=all');
    await page.waitForSelector('.heat td');
    const [stats] = await demo.journal.stats({ by: [] });
    const entries = await everyEntry();
    const byHand = (status: JournalEntry['status']): number =>
      entries.filter((entry) => entry.status === status).length;
    expect(await numberAt(page, '.fig:nth-child(1) b')).toBe(entries.length);
    for (const [at, status] of (['repaired', 'rejected', 'failed'] as const).entries()) {
      const shown = await numberAt(page, `.fig:nth-child(${at + 2}) small a`);
      expect([status, shown, shown]).toEqual([status, stats?.[status], byHand(status)]);
    }
    const [rule] = await demo.journal.stats({ by: 'rule' });
    const count = entries.filter(
      ({ status, rules }) => status === 'repaired' && rules.includes(rule?.rule ?? ''),
    ).length;
    const bar = await textAt(page, `.bars li:has(code:text-is("${rule?.rule}")) .bn`);
    expect([rule?.rule, Number(bar)]).toEqual([rule?.rule, count]);
    const cells = await demo.journal.stats({ by: ['model', 'tool'] });
    for (const cell of cells.slice(0, 12))
      expect([nameOf(cell), await heatCount(page, cell)]).toEqual([nameOf(cell), cell.calls]);
    const [hint] = await journalHints(demo.journal);
    const row = await textAt(page, '.hints tbody tr >> nth=0');
    const { model, tool, sentence, without } = hint ?? expect.fail('no hint');
    for (const part of [sentence, model, tool, `${without.misses} of ${without.calls},`])
      expect(row).toContain(part);
    await close(page);
  });

  test('the costs are those of tools.cost, by tool, hint and field, for the chosen provider', async () => {
    const page = await open('#/overview?range=all');
    for (const provider of ['openai', 'anthropic'] as const) {
      await page.waitForSelector('.costs .fold');
      await page.selectOption('.a-costs select', provider);
      const cost = demo.tools.cost(provider);
      await page.waitForSelector(`.a-costs small:has-text("${digits(cost.tokens)} tokens")`);
      expect(await textAt(page, '#h-costs')).toBe(
        `What tools cost ${digits(cost.tokens)} tokens, ${digits(cost.bytes)} bytes in each request that offers ${cost.tools.length} tools (tokens as tokenx estimates them)`,
      );
      const rows = cost.tools.map(({ tool, tokens, bytes, description, hints }) => [
        tool,
        tokens,
        bytes,
        description.tokens,
        hints.reduce((sum, hint) => sum + hint.tokens, 0),
      ]);
      expect(await rowsOf(page, 'tr:not(.part)')).toEqual(
        rows.map((row) => row.map(String)).slice(0, 12),
      );
    }
    const { tools } = demo.tools.cost('anthropic');
    const [at, hinted] = [...tools.entries()].find(([, { hints }]) => hints.length > 0) ?? [];
    await page.focus(`.costs .fold >> nth=${at}`);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.costs .part');
    expect(await rowsOf(page, 'tr.part')).toEqual([
      ...(hinted?.hints ?? []).map(({ hint, tokens, bytes }) => [
        `hint: ${hint}`,
        `${tokens}`,
        `${bytes}`,
        '',
      ]),
      ...(hinted?.fields ?? []).map(({ field, tokens, bytes }) => [
        field,
        `${tokens}`,
        `${bytes}`,
        '',
      ]),
    ]);
    await close(page);
  });

  /** As the page groups them. */
  const digits = (count: number): string => count.toLocaleString('en-GB').replaceAll(',', ' ');

  /** The texts of the cells, without the blanks of groups of digits. */
  const rowsOf = (page: Page, rows: string): Promise<readonly (readonly string[])[]> =>
    page.evaluate(
      `[...document.querySelectorAll('.costs tbody ${rows}')].map((row) => [...row.cells].map((cell) => cell.innerText.replaceAll('\u202f', '').trim()))`,
    );

  const nameOf = ({ model, tool }: StatsRow): string => `${model} ${tool}`;

  const everyEntry = async (): Promise<readonly JournalEntry[]> => {
    const entries: JournalEntry[] = [];
    for (;;) {
      const before = entries.at(-1)?.id;
      const part = await demo.journal.list({
        limit: 1_000,
        ...(before === undefined ? {} : { before }),
      });
      if (part.length === 0) return entries;
      entries.push(...part);
    }
  };

  const heatCount = (page: Page, { model, tool }: StatsRow): Promise<number> =>
    page.evaluate(`(() => {
      const titles = [...document.querySelectorAll('.heat thead th')];
      const column = titles.findIndex(({ title }) => title === ${JSON.stringify(tool)});
      const row = [...document.querySelectorAll('.heat tbody tr')].find(
        (one) => one.querySelector('th').title === ${JSON.stringify(model)},
      );
      const text = row.cells[column].querySelector('small').lastChild.textContent;
      return Number(text.replaceAll('\\u202f', ''));
    })()`);

  test('by keyboard: through the heat map to its calls, the chart, and the views', async () => {
    const page = await open('#/overview?range=all');
    await page.focus('.heat td[tabindex="0"]');
    const before = await textAt(page, '#heat-read');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await textAt(page, '#heat-read')).not.toBe(before);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.row');
    expect(await page.evaluate<string>('location.hash')).toMatch(/tool=\w+/);
    await pressForView(page, 'o');
    await page.focus('.chart');
    const step = await textAt(page, '#chart-read');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await textAt(page, '#chart-read')).not.toBe(step);
    await pressForView(page, 'a');
    await page.waitForSelector('.alarm');
    await close(page);
  });

  test('by mouse: the share of the heat map, a range, a rule and an alarm lead to calls', async () => {
    const page = await open('#/overview?range=all');
    await page.click('.seg button:has-text("rejected") >> nth=1');
    expect(await page.getAttribute('.seg button >> nth=2', 'aria-pressed')).toBe('true');
    await page.selectOption('#range', '24h');
    await page.waitForSelector('.fig');
    expect(await page.evaluate<string>('location.hash')).toContain('range=24h');
    await page.selectOption('#range', 'all');
    const rule = await textAt(page, '.bars li >> nth=0 >> code');
    await page.click('.bars li a >> nth=0');
    await page.waitForSelector('.row');
    expect(await textAt(page, '.row >> nth=0')).toContain(rule);
    await page.goto(`${server.url}#/alarms?range=all`);
    await page.click('.alarm:has-text("The same rejection") >> text=See the calls');
    await page.waitForSelector('.row');
    expect(await page.evaluate<string>('location.hash')).toContain('run=');
    await close(page);
  });

  test('on a small desk, all columns of the heat map are seen without scrolling', async () => {
    const page = await open('#/overview?range=all');
    await page.waitForSelector('.heat td');
    await page.setViewportSize({ width: 1_280, height: 900 });
    const [width, room] = await page.evaluate<readonly [number, number]>(
      `(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.scroll:has(.heat)'))`,
    );
    expect(width).toBeLessThanOrEqual(room);
    expect(await page.locator('.heat thead th').count()).toBe(12);
    await close(page);
  });

  test('the axis of the chart has whole numbers up to the most calls, also of few', async () => {
    const page = await (await openContext(parts().browser, onDesk)).newPage();
    await page.addInitScript(`(() => {
      const { prototype } = CanvasRenderingContext2D;
      const { fillText } = prototype;
      globalThis.drawnTexts = [];
      prototype.fillText = function (text, ...place) {
        drawnTexts.push(text);
        return fillText.call(this, text, ...place);
      };
    })()`);
    await page.route('**/api/numbers*', async (route) => {
      const response = await route.fetch();
      const numbers = (await response.json()) as CallNumbers;
      const few = { valid: 9, repaired: 0, rejected: 0, failed: 0 };
      await route.fulfill({
        json: { ...numbers, steps: numbers.steps.map(({ at }) => ({ at, ...few })) },
      });
    });
    await page.goto(`${server.url}#/overview?range=all`);
    const drawn = (): Promise<readonly string[]> => page.evaluate('drawnTexts');
    await expect.poll(drawn, { timeout: 60_000 }).toContain('0%');
    expect((await drawn()).filter((text) => /^\d*$/.test(text))).toEqual(['0', '2', '4', '6', '8']);
    await close(page);
  });

  test('an address with a range that is not offered, or with half an escape, shows a view all the same', async () => {
    const page = await open('#/overview?range=99999d');
    await page.waitForSelector('.fig');
    expect(await page.inputValue('#range')).toBe('7d');
    expect(await textAt(page, 'h1')).toBe('Overview, last 7 days');
    expect(await page.evaluate<string>('location.hash')).toBe('#/overview');
    await page.goto(`${server.url}#/calls?range=30d`);
    await page.waitForSelector('.row');
    await page.goto(`${server.url}#/calls?range=31d&status=rejected`);
    await page.waitForSelector('.row:has(.st-rejected)');
    expect(await page.inputValue('#range')).toBe('7d');
    expect(await page.evaluate<string>('location.hash')).toBe('#/calls?status=rejected');
    await page.goto(`${server.url}#/decide/%`);
    await page.reload();
    await page.waitForSelector('text=No call that you may see has this id.');
    await close(page);
  });

  test('an alarm is muted by mouse, another one done by keyboard; both stay so, and are shown again', async () => {
    const page = await open('#/alarms?range=all');
    await page.waitForSelector('.alarm');
    const count = await page.locator('.alarm').count();
    const rate = '.alarm:has-text("A rate left its interval") >> nth=0';
    await page.click(`${rate} >> text=Mute until the next release`);
    await page.waitForSelector('.past li:has-text("muted")');
    await page.focus('.alarm:has-text("The same rejection") >> nth=0 >> text=Done');
    await page.keyboard.press('Enter');
    await toast(page, 'It comes back if it happens again');
    await page.waitForSelector('.past li:has-text("done")');
    await page.reload();
    await page.waitForSelector('.past li');
    expect(await page.locator('.alarm, .past li').count()).toBe(count);
    expect(await textAt(page, '.past')).toMatch(/muted.*done|done.*muted/);
    expect(await accessibilityProblems(page)).toEqual([]);
    while (await page.isVisible('.past li')) {
      const left = await page.locator('.past li').count();
      await page.click('.past li >> nth=0 >> text=Show again');
      await page.waitForSelector(`.past li >> nth=${left - 1}`, { state: 'detached' });
    }
    expect(await page.locator('.alarm').count()).toBe(count);
    await close(page);
  });

  test('the foot of the list counts the calls of the status that is shown', async () => {
    const page = await open('#/calls?range=all&status=rejected');
    await page.waitForSelector('.row');
    const [all] = await demo.journal.stats({ by: [] });
    const total = all?.rejected ?? 0;
    expect(total).toBeGreaterThan(0);
    await page.waitForSelector(`.lf:has-text(" newest of ${total}.")`);
    await close(page);
  });

  test('a question is answered by keyboard, judged as it is typed', async () => {
    const page = await open(`#/decide/${await questionId()}`);
    await page.waitForSelector('.ask [data-argument=room]');
    expect(await page.isDisabled('.ask button:has-text("Answer")')).toBe(true);
    await page.focus('[data-argument=room]');
    await page.keyboard.type('Lib');
    await page.waitForSelector('.judge.ok:has-text("Passes")');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+Enter');
    await toast(page, 'book_room got its answer: completed');
    expect(await questionId()).toBe('');
    await close(page);
  });

  test('a gateway with two models, live: the page, /stats and a count by hand agree', async () => {
    const { origin } = await startUpstream(({ text }) => {
      const { model } = JSON.parse(text) as { model: string };
      const args = model === 'clumsy' ? '{"paths":"[\\"a\\"]"}' : '{"paths":["a"]}';
      return { type: 'application/json', chunks: [answerOf(model, args)] };
    });
    const record = new GatewayRecord({ writeLine: undefined, contents: true });
    const gateway = await startTestGateway(
      origin,
      { strict: true },
      record,
      undefined,
      parts().files,
    );
    const page = await (await openContext(parts().browser, onDesk)).newPage();
    await page.goto(`${gateway.page}#/calls`);
    await page.waitForSelector('.nohit');
    for (const model of ['clumsy', 'careful', 'clumsy', 'clumsy'])
      await fetch(`${gateway.url}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Go.' }], tools }),
      }).then((response) => response.text());
    await page.waitForSelector('.row:has-text("clumsy")');
    await page.goto(`${gateway.page}#/overview`);
    await page.waitForSelector('#h-mistakes');
    const stats = (await (await fetch(new URL('/stats', gateway.page))).json()) as {
      readonly models: readonly { readonly model: string; readonly calls: number }[];
    };
    expect(stats.models.map(({ model, calls }) => [model, calls])).toEqual([
      ['clumsy', 3],
      ['careful', 1],
    ]);
    expect(await numberAt(page, '.fig:nth-child(1) b')).toBe(4);
    expect(await numberAt(page, '.fig:nth-child(2) small a')).toBe(3);
    // Prevented, repaired, retried and refused.
    const rowOf = (model: string): Promise<string> =>
      textAt(page, `section:has(#h-mistakes) tbody tr:has-text("${model}")`);
    expect(await rowOf('clumsy')).toBe('clumsy 3 0 0.0% 3 100.0% 0 0.0% 0 0.0%');
    expect(await rowOf('careful')).toBe('careful 1 1 100.0% 0 0.0% 0 0.0% 0 0.0%');
    await close(page);
  });
}

const tools = [
  {
    type: 'function',
    function: {
      name: 'read_files',
      parameters: {
        type: 'object',
        properties: { paths: { type: 'array', items: { type: 'string' } } },
        required: ['paths'],
      },
    },
  },
];

const answerOf = (model: string, args: string): string =>
  JSON.stringify({
    model,
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'read_files', arguments: args } },
          ],
        },
      },
    ],
  });
