import { missKinds } from '../messages/miss-sentences.ts';
import type { SqlDatabase, SqlRow } from '../store/call-store.ts';
import {
  type HintChange,
  type HintCount,
  type HintCounts,
  cellKey,
  newTrial,
  trialStates,
} from '../store/hint-counts.ts';
import { storable, storedText } from './entry-rows.ts';

const cell = ['model', 'definition', 'kind', 'field', 'tool', 'sentence'] as const;
const addedColumns = ['calls', 'misses', 'shown_calls', 'shown_misses'] as const;

/** The counts of hints in PostgreSQL or PGlite, shared by all processes that use the journal. */
export class SqlHintCounts implements HintCounts {
  readonly #database: SqlDatabase;
  readonly #table: string;

  constructor(database: SqlDatabase, schema: string) {
    this.#database = database;
    this.#table = `${schema}.hint_counts`;
  }

  async exchange(changes: readonly HintChange[]): Promise<readonly HintCount[]> {
    if (changes.length > 0) await this.#add(changes);
    const decisions = changes.filter(({ decided }) => decided !== undefined);
    if (decisions.length > 0) await this.#decide(decisions);
    const rows = await this.#database.query(`select * from ${this.#table}`);
    return rows.flatMap(countOfRow);
  }

  /** In the order of the keys: two processes that add to the same rows don't wait for each other. */
  async #add(changes: readonly HintChange[]): Promise<void> {
    const rows = changes.toSorted((one, other) => (cellKey(one) < cellKey(other) ? -1 : 1));
    await this.#database.query(
      `insert into ${this.#table} as counts (${[...cell, ...addedColumns].join(', ')}, look)
       select ${[...cell, ...addedColumns].join(', ')}, ${newTrial.look}
       from json_to_recordset($1::json) as change (${cell.map((name) => `${name} text`).join(', ')},
         ${addedColumns.map((name) => `${name} bigint`).join(', ')})
       on conflict (model, definition, kind, field) do update set
         ${addedColumns.map((name) => `${name} = counts.${name} + excluded.${name}`).join(', ')},
         updated_at = clock_timestamp()`,
      [
        JSON.stringify(
          rows.map((change) => ({
            ...textsOf(change),
            calls: change.added.calls,
            misses: change.added.misses,
            shown_calls: change.added.shownCalls,
            shown_misses: change.added.shownMisses,
          })),
        ),
      ],
    );
  }

  async #decide(decisions: readonly HintChange[]): Promise<void> {
    await this.#database.query(
      `update ${this.#table} as counts set state = decision.state, look = decision.look,
         calls_before = decision.calls_before, misses_before = decision.misses_before,
         updated_at = clock_timestamp()
       from json_to_recordset($1::json) as decision (model text, definition text, kind text, field text,
         "from" bigint, state text, look bigint, calls_before bigint, misses_before bigint)
       where counts.model = decision.model and counts.definition = decision.definition
         and counts.kind = decision.kind and counts.field = decision.field
         and counts.look = decision."from"`,
      [
        JSON.stringify(
          decisions.map(({ decided, ...change }) => ({
            ...textsOf(change),
            from: decided?.from,
            state: decided?.trial.state,
            look: decided?.trial.look,
            calls_before: decided?.trial.callsBefore,
            misses_before: decided?.trial.missesBefore,
          })),
        ),
      ],
    );
  }
}

const textsOf = ({ model, tool, definition, kind, field, sentence }: HintChange) => ({
  model: storable(model),
  tool: storable(tool),
  definition,
  kind,
  field: storable(field),
  sentence: storable(sentence),
});

/** None for a kind of miss that a newer version counts. */
function countOfRow(row: SqlRow): readonly HintCount[] {
  const text = (column: string): string => storedText(String(row[column]));
  const kind = (['', ...missKinds] as const).find((one) => one === row['kind']);
  const state = trialStates.find((one) => one === row['state']);
  if (kind === undefined || state === undefined) return [];
  return [
    {
      model: text('model'),
      tool: text('tool'),
      definition: text('definition'),
      kind,
      field: text('field'),
      sentence: text('sentence'),
      calls: Number(row['calls']),
      misses: Number(row['misses']),
      shownCalls: Number(row['shown_calls']),
      shownMisses: Number(row['shown_misses']),
      trial: {
        state,
        look: Number(row['look']),
        callsBefore: Number(row['calls_before']),
        missesBefore: Number(row['misses_before']),
      },
    },
  ];
}
