// What several statements on the calls write.
import type { StoredOutcome } from '../outcomes/stored-outcome.ts';
import { hasFailed, missesOf } from '../store/call-facts.ts';
import type { NewEntry } from '../store/call-store.ts';
import { storable } from './entry-rows.ts';

/** Lets `journal.changes` find the row. */
export const setChanged = 'updated_at = clock_timestamp(), changed_in = pg_current_xact_id()';

/**
 * The column `status` after a call got another outcome. Null stays: the row is of an older version.
 */
export const statusAfter = (outcome: StoredOutcome | undefined): string =>
  outcome !== undefined && hasFailed(outcome)
    ? `status = case when status in ('valid', 'repaired') then 'failed' else status end`
    : `status = case when status = 'failed' then case when rules is null then 'valid' else 'repaired' end
         else status end`;

/** The misses of calls, as the parameter of a statement that writes them. */
export const missesParameter = (entries: readonly NewEntry[]): string =>
  JSON.stringify(
    entries.flatMap((entry) =>
      missesOf(entry).map(({ kind, name, fields }) => ({
        call: entry.id,
        kind,
        name: storable(name),
        fields: fields.map(storable),
      })),
    ),
  );

/** Writes the misses of a parameter. `calls`: the table of the calls, or those that were inserted. */
export const insertMisses = (schema: string, calls: string, parameter: string): string =>
  `insert into ${schema}.misses (call, kind, name, fields, created_at)
   select calls.id, miss.kind, miss.name, miss.fields, calls.created_at
   from json_to_recordset(${parameter}::json) as miss (call uuid, kind text, name text, fields text[])
     join ${calls} calls on calls.id = miss.call
   on conflict do nothing`;
