import { type Journal, type JournalEntry, openJournal } from 'toolmend/journal';
import { journalWith } from '../journal-with.ts';

export interface KillableJournal {
  readonly journal: Journal;
  /** The calls that run now have lost their process. */
  readonly kill: () => Promise<void>;
  /** How often a process looked for such calls. */
  readonly looks: () => number;
}

/** A journal in memory, whose calls can lose their processes. */
export async function killableJournal(): Promise<KillableJournal> {
  const stored = await openJournal();
  const abandoned = new Set<string>();
  let looks = 0;
  const entryOf = async (id: string): Promise<JournalEntry | undefined> => {
    const entry = await stored.entry(id);
    return entry && { ...entry, isAbandoned: abandoned.has(id) };
  };
  const journal = journalWith(stored, {
    entry: entryOf,
    flush: () => Promise.resolve(),
    takeAbandoned: async () => {
      looks += 1;
      const ids = [...abandoned];
      abandoned.clear();
      const entries = await Promise.all(ids.map(entryOf));
      return entries.filter((entry) => entry !== undefined);
    },
  });
  const kill = async (): Promise<void> => {
    for (const { id } of await stored.list({ state: 'running' })) abandoned.add(id);
  };
  return { journal, kill, looks: () => looks };
}
