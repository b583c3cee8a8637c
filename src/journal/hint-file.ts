import { access, constants, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolmendError } from '../errors/errors.ts';
import { numberAt, objectAt, textAt } from '../json/members.ts';
import { plainJson } from '../json/parse.ts';
import { type JsonValue, isJsonArray, isJsonObject } from '../json/value.ts';
import { missKinds } from '../messages/miss-sentences.ts';
import { randomId } from '../platform/random-id.ts';
import {
  type HintChange,
  type HintCount,
  type HintCounts,
  cellKey,
  changedCount,
  trialStates,
} from '../store/hint-counts.ts';

const format = 'toolmend.hints';

/** The counts of hints in a file, which one process uses at a time. */
class HintFile implements HintCounts {
  readonly #path: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** One after the other: each reads what the one before has written. */
  exchange(changes: readonly HintChange[]): Promise<readonly HintCount[]> {
    const pendingExchange = this.#last.then(() => this.#exchange(changes));
    this.#last = pendingExchange.catch(() => undefined);
    return pendingExchange;
  }

  async #exchange(changes: readonly HintChange[]): Promise<readonly HintCount[]> {
    const rows = new Map((await readHintFile(this.#path)).map((row) => [cellKey(row), row]));
    for (const change of changes) {
      const key = cellKey(change);
      rows.set(key, changedCount(rows.get(key), change));
    }
    if (changes.length > 0) await this.#write([...rows.values()]);
    return [...rows.values()];
  }

  /** A process that ends meanwhile leaves the file as it was. */
  async #write(counts: readonly HintCount[]): Promise<void> {
    const next = `${this.#path}.${randomId()}`;
    await writeFile(next, `${JSON.stringify({ format, version: 1, counts }, undefined, 1)}\n`, {
      mode: 0o600,
    });
    await rename(next, this.#path);
  }
}

/**
 * Keeps the counts of hints that learn in a file, for `hints: { learn, counts }` of a registry
 * without a journal. The file is made if it is absent, and one process uses it at a time. Rejects
 * with a ToolmendError for a file of another kind.
 */
export async function openHintFile(path: string): Promise<HintCounts> {
  await readHintFile(path);
  const folder = dirname(path);
  // Counts are written as a new file, which takes the place of the old one.
  await access(folder, constants.W_OK).catch((error: unknown) => {
    const why = codeOf(error) === 'ENOENT' ? 'is not there: make it' : 'cannot be written to';
    const what = `${path} can't be written, because the folder ${folder} ${why}`;
    throw new ToolmendError('hint-file', `${what}, or name another file.`);
  });
  return new HintFile(path);
}

const codeOf = (error: unknown): string => String(Reflect.get(Object(error), 'code'));

/** The counts in a file; none if there is no file. */
async function readHintFile(path: string): Promise<readonly HintCount[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return [];
    const why = code === 'EISDIR' ? 'is a folder' : `can't be read (${code})`;
    throw new ToolmendError('hint-file', `${path} ${why}: name another file.`);
  }
  const file = plainJson(text);
  const counts =
    isJsonObject(file) && textAt(file, 'format') === format ? file['counts'] : undefined;
  if (isJsonArray(counts)) return counts.flatMap(countOf);
  const what = 'is not a file with counts of hints: name another file, or delete it';
  throw new ToolmendError('hint-file', `${path} ${what}.`);
}

/** None for anything else than a row of this version. */
function countOf(row: JsonValue): readonly HintCount[] {
  if (!isJsonObject(row)) return [];
  const trial = objectAt(row, 'trial') ?? {};
  const kind = (['', ...missKinds] as const).find((one) => one === textAt(row, 'kind'));
  const state = trialStates.find((one) => one === textAt(trial, 'state'));
  if (kind === undefined || state === undefined) return [];
  return [
    {
      model: textAt(row, 'model') ?? '',
      tool: textAt(row, 'tool') ?? '',
      definition: textAt(row, 'definition') ?? '',
      kind,
      field: textAt(row, 'field') ?? '',
      sentence: textAt(row, 'sentence') ?? '',
      calls: numberAt(row, 'calls') ?? 0,
      misses: numberAt(row, 'misses') ?? 0,
      shownCalls: numberAt(row, 'shownCalls') ?? 0,
      shownMisses: numberAt(row, 'shownMisses') ?? 0,
      trial: {
        state,
        look: numberAt(trial, 'look') ?? 0,
        callsBefore: numberAt(trial, 'callsBefore') ?? 0,
        missesBefore: numberAt(trial, 'missesBefore') ?? 0,
      },
    },
  ];
}
