// What was found out about a union's value on one walk? Unions in unions come to the same value on many ways.
import type { SchemaView } from '../contract/schema-view.ts';
import type { JsonValue } from '../json/json-value.ts';

/** A place, as far as it decides what is found there. */
interface WalkedPlace {
  readonly path: string;
  readonly name: string | undefined;
  readonly isPath: boolean;
}

export class UnionMemory<Found> {
  readonly #known = new Map<JsonValue, Map<SchemaView, Map<string, Found>>>();

  /** What was found before for the value at this place, or what is found now. */
  find(value: JsonValue, { path, name, isPath }: WalkedPlace, view: SchemaView, look: () => Found): Found {
    // Of other values it is quickly found out again.
    if (typeof value !== 'object' || value === null) return look();
    const byView = this.#known.get(value) ?? new Map<SchemaView, Map<string, Found>>();
    this.#known.set(value, byView);
    const byPlace = byView.get(view) ?? new Map<string, Found>();
    byView.set(view, byPlace);
    const place = JSON.stringify([path, name, isPath]);
    const known = byPlace.get(place);
    if (known !== undefined) return known;
    const found = look();
    byPlace.set(place, found);
    return found;
  }
}
