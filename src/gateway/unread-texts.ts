import type { JsonObject } from '../json/value.ts';
import type { TextShape, TextStreamShape } from './protocol.ts';
import { TextGroup, type TextTools } from './text-group.ts';

/** Reports the calls in the texts of a streamed answer of which no calls are read. */
export class UnreadTexts {
  readonly #shape: TextStreamShape;
  readonly #tools: TextTools;
  readonly #groups = new Map<string, TextGroup>();

  constructor(shape: TextShape, tools: TextTools) {
    this.#shape = shape.streamReader();
    this.#tools = tools;
  }

  add(event: JsonObject): void {
    for (const place of this.#shape.textsOf(event)) {
      const group = this.#groups.get(place.group) ?? new TextGroup(this.#tools);
      this.#groups.set(place.group, group);
      group.add(place);
    }
    for (const { group, endsWithoutCall } of this.#shape.endsIn(event))
      this.#groups.get(group)?.end(endsWithoutCall);
  }

  end(): void {
    for (const group of this.#groups.values()) group.end(false);
  }
}
