// Ids of calls: made for those that came without one, and different for each call of an answer.

const idCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * An id for a call that came without one: nine letters and digits, because Mistral takes no others.
 * OpenAI takes up to 40.
 */
export const newCallId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) =>
    idCharacters.charAt(byte % idCharacters.length),
  ).join('');

/** Characters of an id that a number is appended to: providers take 64. */
const maxIdLength = 60;

/** The ids of one answer. */
export class CallIds {
  readonly #takenIds = new Set<string>();
  /** The last number that was appended to an id. */
  readonly #numbers = new Map<string, number>();

  /** Takes the id of the next call: as it was sent if no other call has it. */
  take(id: string): string {
    const free = id === '' ? newCallId() : this.#free(id);
    this.#takenIds.add(free);
    return free;
  }

  #free(id: string): string {
    let free = id;
    let number = this.#numbers.get(id) ?? 1;
    while (this.#takenIds.has(free)) {
      number += 1;
      free = `${id.slice(0, maxIdLength)}_${number}`;
    }
    this.#numbers.set(id, number);
    return free;
  }
}
