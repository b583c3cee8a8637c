// Writes lines to the terminal without control characters and without secrets.
import { stripVTControlCharacters, styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

/** Writes whole lines. */
export interface Terminal {
  line(text?: string): void;
  paint(style: Style, text: string): string;
}

/** The part of `process.stdout` that is used. */
export interface LineStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Uses colours only on a terminal and without NO_COLOR (https://no-color.org). `secrets` are never
 * written.
 */
export function createTerminal(
  stream: LineStream,
  environment: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[] = [],
): Terminal {
  const isColoured = stream.isTTY === true && (environment['NO_COLOR'] ?? '') === '';
  return {
    line: (text = '') => stream.write(`${hide(text, secrets)}\n`),
    paint: (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text),
  };
}

const hide = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);

/** Foreign text on one line of at most `width` characters, without control characters. */
export function excerpt(text: string, width = 96): string {
  const line = stripVTControlCharacters(text)
    .trimEnd()
    .replace(/\r?\n/g, ' ⏎ ')
    // oxlint-disable-next-line no-control-regex -- it searches for control characters
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ');
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, width - 1).join('')}…`;
}
