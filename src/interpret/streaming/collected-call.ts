// What has come of one streamed call so far? Parts of its name, pieces of its argument text, or a value.
import { defaultDecodeLimits } from '../../decode/decode-arguments.ts';
import { decodeBytes, isBytes } from '../../decode/decode-bytes.ts';
import { parseJson } from '../../json/reader/parse-json.ts';
import type { ToolCallDelta } from './tool-call-delta.ts';

/** Units of text or bytes that are kept: beyond them the arguments are too large whatever follows. */
const mostUnits = defaultDecodeLimits.size * 3 + 1;

export class CollectedCall {
  id = '';
  name = '';
  readonly #pieces: (string | Uint8Array)[] = [];
  readonly #values: unknown[] = [];
  #units = 0;

  add({ id, name, arguments: sent }: ToolCallDelta): void {
    if (isSaid(id) && this.id === '') this.id = id;
    // Some providers repeat the whole name with every part; others send it in parts.
    if (isSaid(name) && name !== this.name) this.name += name;
    if (sent === undefined || sent === null || sent === '') return;
    if (typeof sent !== 'string' && !isBytes(sent)) this.#values.push(sent);
    else if (this.#units < mostUnits) {
      this.#pieces.push(sent);
      this.#units += sent.length;
    }
  }

  /** Under the number of one call, another one begins: servers that count every call as 0 give each its own id. */
  isFollowedBy({ id, name }: ToolCallDelta): boolean {
    if (!isSaid(name)) return false;
    const isOtherId = isSaid(id) && this.id !== '' && id !== this.id;
    return isOtherId || (name !== this.name && this.#pieces.length > 0);
  }

  /** The same where there is neither number nor id: a name behind whole arguments is the next call's. */
  isEndedBy(delta: ToolCallDelta): boolean {
    if (!isSaid(delta.name) || this.name === '') return false;
    return this.#values.length > 0 || this.isFollowedBy(delta) || this.#isWholeText();
  }

  /** Text, the value, or bytes that are no text; what contradicts itself as a list, which is no call's arguments. */
  get arguments(): unknown {
    const values = this.#values.filter((value) => !isEmptyObject(value));
    const text = this.#text();
    if (text.length > 0) return values.length === 0 ? text : [...values, text];
    if (values.length > 0) return values.length === 1 ? values[0] : values;
    return this.#values.length > 0 ? {} : '';
  }

  #text(): string | Uint8Array {
    const pieces = this.#pieces;
    if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('');
    const bytes = pieces.map((piece) =>
      typeof piece === 'string' ? new TextEncoder().encode(piece) : piece,
    );
    const whole = new Uint8Array(bytes.reduce((length, piece) => length + piece.length, 0));
    let at = 0;
    for (const piece of bytes) {
      whole.set(piece, at);
      at += piece.length;
    }
    const read = decodeBytes(whole);
    return read.kind === 'text' ? read.text : whole;
  }

  #isWholeText(): boolean {
    const text = this.#text();
    return (
      typeof text === 'string' && parseJson(text, defaultDecodeLimits.depth, 'approximate').kind === 'read'
    );
  }
}

const isSaid = (text: string | null | undefined): text is string => typeof text === 'string' && text !== '';

/** What a call starts with where its arguments are still to come. */
const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
