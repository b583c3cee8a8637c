import { keyIn } from '../../json/parse.ts';

// A token that seems to be missing beside a string may have been written on the wrong side of the
// quote: `{"path":"a}"` is the path `a}` in an object that was not closed, or the path `a`. A closer
// that seems to be surplus behind a string may be the string's own: `{"path":"[a"}]`. Brackets that
// are a pair in the string, as in `f() { return 1; }`, belong to it.

const openers: ReadonlyMap<string, string> = new Map([
  ['}', '{'],
  [']', '['],
  [')', '('],
  ['>', '<'],
]);

/** Whether a string ends in one of some tokens; blanks, quotes and closers may follow it. */
export function endsInToken(string: string, tokens: readonly string[]): boolean {
  const text = string.trimEnd();
  const end = text.length - (closersAtEnd.exec(text)?.[0].length ?? 0);
  return tokens.some((token) =>
    openers.has(token) ? unpaired(text, token).closer >= end : text.endsWith(token),
  );
}

/** Whether a string starts with a token. */
export const startsWithToken = (string: string, token: string): boolean =>
  string.trimStart().startsWith(token);

/** Whether a string has an opener without its partner, of one of some closers. */
export const lacksToken = (string: string, closers: readonly string[]): boolean =>
  closers.some((closer) => unpaired(string, closer).openers > 0);

/** Whether a string in JSON starts with an opener of some closers, without its partner. */
export const holdsOpener = (json: string, closers: readonly string[]): boolean =>
  stringWithOpener.test(json) &&
  stringsIn(json).some((string) => stringWithOpener.test(string) && lacksToken(string, closers));

/** Whether a string in JSON ends in one of some closers; see `endsInToken`. */
export const holdsCloser = (json: string, closers: readonly string[]): boolean =>
  closers.some((closer) => json.includes(closer)) &&
  stringsIn(json).some((string) => endsInToken(keyIn(string), closers));

const stringsIn = (json: string): readonly string[] => json.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
const stringWithOpener = /"\s*[[{]/;
const closersAtEnd = /(?<![\s\]}"'”’])[\s\]}"'”’]+$/;

/** The openers without a closer, and the offset of the last closer without an opener, or -1. */
function unpaired(string: string, closer: string) {
  const opener = openers.get(closer);
  const found = { openers: 0, closer: -1 };
  for (let at = 0; at < string.length; at += 1) {
    const character = string.charAt(at);
    if (character === opener) found.openers += 1;
    else if (character !== closer) continue;
    else if (found.openers > 0) found.openers -= 1;
    else found.closer = at;
  }
  return found;
}

/** The last string of JSON, if only closers and blanks come after it. */
export function lastString(json: string): string | undefined {
  let end = json.length - 1;
  while (end >= 0 && '}] \t\r\n'.includes(json.charAt(end))) end -= 1;
  if (json.charAt(end) !== '"') return undefined;
  let start = end - 1;
  while (start > 0 && (json.charAt(start) !== '"' || isEscaped(json, start))) start -= 1;
  return keyIn(json.slice(start, end + 1));
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charAt(at - 1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
