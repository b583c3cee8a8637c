// How does a model read on in a result that is too long for one answer? By an argument of the next call, while it is kept.
import type { MetaArgument } from '../../contract/tool-contract.ts';
import { pagesOf } from './pages.ts';

/** Shown with the tools whose results are cut. */
export const continuationArgument: MetaArgument = Object.freeze({
  key: '_continuation',
  name: 'continuation',
  kind: 'text',
  aliases: Object.freeze([]),
  isRequired: false,
  schema: Object.freeze({
    type: 'string',
    description: 'To read on in a long result: as a note to it says.',
  }),
});

/** A part of a result, and what the model is told beside it. */
export interface ResultPage {
  readonly text: string;
  readonly note: string;
}

interface KeptResult {
  readonly tool: string;
  readonly caller: string;
  readonly pages: readonly string[];
}

/** Results and characters that are kept at most; what was made first is forgotten first. */
const most = { results: 64, characters: 16_000_000 };

/** The long results of one registry; each for the tool and the caller it was made for. */
export class KeptResults {
  readonly #results = new Map<string, KeptResult>();
  #characters = 0;

  /** The first part; undefined for a text that is short enough. */
  firstPage(
    text: string,
    longest: number,
    { tool, caller }: Omit<KeptResult, 'pages'>,
  ): ResultPage | undefined {
    if (text.length <= longest) return undefined;
    const id = crypto.randomUUID().replaceAll('-', '').slice(0, 12);
    const kept = { tool, caller, pages: pagesOf(text, longest) };
    this.#results.set(id, kept);
    this.#characters += text.length;
    this.#forgetOldest();
    return pageOf(kept, id, 1);
  }

  /** undefined for what isn't kept, or not for this tool and this caller. */
  page(continuation: string, { tool, caller }: Omit<KeptResult, 'pages'>): ResultPage | undefined {
    const [, id = '', number = ''] = /^\s*([0-9a-f]{12})-(\d{1,9})\s*$/.exec(continuation) ?? [];
    const kept = this.#results.get(id);
    return kept?.tool === tool && kept.caller === caller ? pageOf(kept, id, Number(number)) : undefined;
  }

  #forgetOldest(): void {
    for (const [id, { pages }] of this.#results) {
      const isFull = this.#results.size > most.results || this.#characters > most.characters;
      if (!isFull || this.#results.size === 1) return;
      this.#results.delete(id);
      this.#characters -= pages.reduce((sum, { length }) => sum + length, 0);
    }
  }
}

function pageOf({ tool, pages }: KeptResult, id: string, number: number): ResultPage | undefined {
  const text = pages[number - 1];
  if (text === undefined) return undefined;
  const which = `This is part ${number} of ${pages.length} of the result.`;
  const next = ` For the next part call ${tool} again with "${continuationArgument.key}": "${id}-${number + 1}".`;
  return { text, note: number < pages.length ? which + next : which };
}
