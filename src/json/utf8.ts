import { types } from 'node:util';

/** Bytes of any realm. */
export const isBytes = (value: unknown): value is Uint8Array => types.isUint8Array(value);

/** `cut`: the bytes end inside a character. */
export type BytesReading =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'invalid_utf8' | 'cut' };

/** Decodes UTF-8 without replacing characters, and leaves out a byte order mark. Never throws. */
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
