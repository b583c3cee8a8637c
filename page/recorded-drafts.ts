import type { CallDetail } from '../src/page/page-data.ts';
import { type Draft, draftOfCall } from './draft.ts';
import { readCall, readCalls, readNumbers } from './server.ts';
import type { DraftSource } from './try-view.ts';

/** The newest calls of a tool that are looked at for its schema. */
const mostCalls = 5;

/** The tools and calls that the server of the page has on record. */
export const recordedDrafts: DraftSource = {
  async tools() {
    const { cells } = await readNumbers(undefined);
    return [...new Set(cells.map(({ tool }) => tool))].toSorted();
  },
  async draftOfTool(tool) {
    const { calls } = await readCalls({ tool }, undefined, undefined);
    for (const { id } of calls.slice(0, mostCalls)) {
      const draft = draftOfCall(await readCall(id));
      if (draft !== undefined) return draft;
    }
    return undefined;
  },
  async draftOfCall(id): Promise<Draft | undefined> {
    const detail: CallDetail = await readCall(id);
    return draftOfCall(detail);
  },
};
