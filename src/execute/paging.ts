import type { MetaArgument } from '../tool/tool-contract.ts';

// At line ends where there are some, and never inside a character.
/** Parts of at most so many characters that make the text again when they are put together. */
function pagesOf(text: string, longest: number): readonly string[] {
  const pages: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfPage(text, start, longest);
    pages.push(text.slice(start, end));
    start = end;
  }
  return pages;
}

function endOfPage(text: string, start: number, longest: number): number {
  const end = start + longest;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  if (line > start + longest * earliestLine) return line;
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

/** A page that ends with a line is at least so full. */
const earliestLine = 0.75;

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

// By an argument of the next call, while it is kept.
/** Shown with the tools whose results are cut. */
export const continuationArgument: MetaArgument = Object.freeze({
  key: '_continuation',
  name: 'continuation',
  aliases: Object.freeze([]),
  isRequired: false,
  schema: Object.freeze({
    type: 'string',
    description: 'Reads on in a long result, as a note beside the result says.',
  }),
});

/** A part of a result, and what the model is told beside it. */
export interface ResultPage {
  readonly text: string;
  readonly note: string;
}

interface KeptResult {
  readonly tool: string;
  readonly tenant: string;
  readonly pages: readonly string[];
  readonly characters: number;
}

/** Whose a result is. */
type Owner = Pick<KeptResult, 'tool' | 'tenant'>;

/** Results and characters that are kept at most, of all callers together. */
const most = { results: 64, characters: 16_000_000 };

/** The long results of one registry; each for the tool and the tenant it was made for. */
export class KeptResults {
  readonly #results = new Map<string, KeptResult>();
  #characters = 0;

  /** The first part; undefined for a text that is short enough. */
  firstPage(text: string, longest: number, { tool, tenant }: Owner): ResultPage | undefined {
    if (text.length <= longest) return undefined;
    const id = crypto.randomUUID().replaceAll('-', '').slice(0, 12);
    const kept = { tool, tenant, pages: pagesOf(text, longest), characters: text.length };
    this.#results.set(id, kept);
    this.#characters += text.length;
    this.#forgetSurplus(id);
    return pageOf(kept, id, 1);
  }

  /** undefined for what isn't kept, or not for this tool and this tenant. */
  page(continuation: string, { tool, tenant }: Owner): ResultPage | undefined {
    const [, id = '', number = ''] = /^\s*([0-9a-f]{12})-(\d{1,9})\s*$/.exec(continuation) ?? [];
    const kept = this.#results.get(id);
    return kept?.tool === tool && kept.tenant === tenant ? pageOf(kept, id, Number(number)) : undefined;
  }

  /** Of the callers that have most, what is oldest: nobody pushes out what is kept for others. Never what came last. */
  #forgetSurplus(last: string): void {
    for (;;) {
      const measure = this.#measureOfSurplus();
      const surplus = measure === undefined ? undefined : this.#surplusBut(last, measure);
      if (surplus === undefined) return;
      const [id, { characters }] = surplus;
      this.#results.delete(id);
      this.#characters -= characters;
    }
  }

  #measureOfSurplus(): Measure | undefined {
    if (this.#results.size > most.results) return () => 1;
    return this.#characters > most.characters ? ({ characters }) => characters : undefined;
  }

  #surplusBut(last: string, measure: Measure): readonly [string, KeptResult] | undefined {
    const sums = new Map<string, number>();
    const sumOf = ({ tenant }: KeptResult): number => sums.get(tenant) ?? 0;
    for (const kept of this.#results.values()) sums.set(kept.tenant, sumOf(kept) + measure(kept));
    const others = [...this.#results].filter(([id]) => id !== last);
    return others.toSorted(([, left], [, right]) => sumOf(right) - sumOf(left))[0];
  }
}

type Measure = (kept: KeptResult) => number;

function pageOf({ tool, pages }: KeptResult, id: string, number: number): ResultPage | undefined {
  const text = pages[number - 1];
  if (text === undefined) return undefined;
  const which = `This is part ${number} of ${pages.length} of the result.`;
  const next = ` For the next part, call ${tool} again with "${continuationArgument.key}": "${id}-${number + 1}".`;
  return { text, note: number < pages.length ? which + next : which };
}
