// Which text do bytes hold? UTF-8 or none: a character that is replaced is a character that is lost.
import { types } from 'node:util';

/** Bytes of any realm. */
export const isBytes = (sent: unknown): sent is Uint8Array => types.isUint8Array(sent);

/** `cut`: the bytes end inside a character. A byte order mark is no part of the text. */
export type BytesReading =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'invalid_utf8' | 'cut' };

/** Decodes strictly; never throws. */
export function decodeBytes(bytes: Uint8Array): BytesReading {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const whole = attempt(() => decoder.decode(bytes, { stream: true }));
  if (whole === undefined) return { kind: 'invalid_utf8' };
  const rest = attempt(() => decoder.decode());
  return rest === undefined ? { kind: 'cut' } : { kind: 'text', text: whole + rest };
}

function attempt(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
