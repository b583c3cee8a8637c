// Streams of the Responses API that were asked for again.
import {
  type JsonEdit,
  type JsonPath,
  JsonSlices,
  editJson,
  jsonSlice,
} from '../json/json-edits.ts';
import type { JsonObject } from '../json/value.ts';
import type { StreamJoin } from './protocol.ts';
import { arrayAt, numberAt, objectAt, textAt } from '../json/members.ts';

const beginnings: ReadonlySet<string> = new Set([
  'response.created',
  'response.in_progress',
  'response.queued',
]);

/**
 * Joins the streams of several responses to one: clients check that it has one response id, that
 * items are numbered on and have different ids, and that the last event has all of them.
 */
export class ResponsesJoin implements StreamJoin {
  /** JSON text of the items that the client has. */
  readonly #items: string[] = [];
  readonly #ids = new Set<string>();
  #responseId: string | undefined;
  #answer = 1;
  #itemCount = 0;
  #sequence: number | undefined;
  /** What came with the answers before this one. */
  #earlier: {
    readonly ids: ReadonlySet<string>;
    readonly items: readonly string[];
    readonly itemCount: number;
  } = { ids: new Set(), items: [], itemCount: 0 };

  next(): void {
    this.#answer += 1;
    this.#earlier = {
      ids: new Set(this.#ids),
      items: [...this.#items],
      itemCount: this.#itemCount,
    };
  }

  pass(event: JsonObject, text: string): readonly JsonEdit[] | undefined {
    const type = textAt(event, 'type') ?? '';
    if (this.#answer > 1 && beginnings.has(type)) return undefined;
    const edits = this.#answer > 1 ? this.#edits(event, text) : [];
    if (this.#answer === 1) {
      this.#sequence = numberAt(event, 'sequence_number') ?? this.#sequence;
      this.#responseId ??= textAt(objectAt(event, 'response') ?? {}, 'id');
    }
    const index = numberAt(event, 'output_index');
    if (index !== undefined)
      this.#itemCount = Math.max(this.#itemCount, this.#earlier.itemCount + index + 1);
    const item = objectAt(event, 'item');
    if (item !== undefined) this.#ids.add(this.#idOf(textAt(item, 'id') ?? ''));
    if (type === 'response.output_item.done')
      this.#items.push(jsonSlice(editJson(text, edits), ['item']) ?? '{}');
    return edits;
  }

  #edits(event: JsonObject, text: string): readonly JsonEdit[] {
    const index = numberAt(event, 'output_index');
    const response = objectAt(event, 'response');
    if (this.#sequence !== undefined) this.#sequence += 1;
    return [
      ...(this.#sequence === undefined ? [] : [numberEdit(['sequence_number'], this.#sequence)]),
      ...(index === undefined
        ? []
        : [numberEdit(['output_index'], this.#earlier.itemCount + index)]),
      ...this.#idEdits(event, ['item_id']),
      ...this.#idEdits(objectAt(event, 'item') ?? {}, ['item', 'id']),
      ...(response === undefined ? [] : this.#responseEdits(response, text)),
    ];
  }

  #responseEdits(response: JsonObject, text: string): readonly JsonEdit[] {
    const { items } = this.#earlier;
    const slices = new JsonSlices(text);
    const output = arrayAt(response, 'output').map((item, at) => {
      const slice = slices.at(['response', 'output', at]) ?? '{}';
      return editJson(slice, this.#idEdits(item, ['id']));
    });
    return [
      ...(this.#responseId === undefined
        ? []
        : [{ path: ['response', 'id'], text: JSON.stringify(this.#responseId) }]),
      { path: ['response', 'output'], text: `[${[...items, ...output].join(',')}]` },
    ];
  }

  /** Some servers number the items of each response from 0. */
  #idEdits(holder: JsonObject, path: JsonPath): readonly JsonEdit[] {
    const id = textAt(holder, String(path.at(-1)));
    return id === undefined || this.#idOf(id) === id
      ? []
      : [{ path, text: JSON.stringify(this.#idOf(id)) }];
  }

  #idOf(id: string): string {
    return this.#earlier.ids.has(id) ? `${id}_${this.#answer}` : id;
  }
}

const numberEdit = (path: JsonPath, value: number): JsonEdit => ({ path, text: String(value) });
