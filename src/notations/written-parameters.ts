import { type CallToWrite, isPlainKey, rawText } from './notation.ts';
import { opensParameter } from './wrapping-tags.ts';

/**
 * The parameters of a call as markup; undefined if a key or a value would not be read back as it
 * is.
 */
export function writeParameters(
  call: CallToWrite,
  write: (key: string, raw: string) => string,
  closing: string,
): readonly string[] | undefined {
  const entries = Object.entries(call.arguments).map(
    ([key, value]) => [key, rawText(value)] as const,
  );
  const isExpressible = entries.every(
    ([key, raw]) => isPlainKey(key) && !raw.includes(closing) && !opensParameter(raw),
  );
  return isExpressible ? entries.map(([key, raw]) => write(key, raw)) : undefined;
}

/** The same for markup that takes off a line break at either end of a value. */
export const writeVerbatim: typeof writeParameters = (call, write, closing) =>
  Object.values(call.arguments).some((value) => /^\r?\n|\n$/.test(rawText(value)))
    ? undefined
    : writeParameters(call, write, closing);
