// Leaves out of recorded arguments what looks like a secret.
import { plainJson } from '../json/parse.ts';
import { objectOf } from '../collections/objects.ts';
import { type JsonValue, isJsonArray, isJsonObject, sameValue } from '../json/value.ts';

const secretName = [
  'pass(?:word|wd|phrase|code)',
  'pwd',
  'secret',
  'token',
  '(?:api|access|private)[-_ ]?key',
  'authori[sz]ation',
  '(?<![a-z])auth(?![a-z])',
  'credential',
  'cookie',
  'bearer',
].join('|');

/** A key that names a secret. */
const secretKey = new RegExp(secretName, 'i');
/**
 * A text with a secret in it: `"password": "…"`, `API_KEY=…`, `--token …`,
 * `Authorization: Bearer …`.
 */
const secretInText = new RegExp(
  String.raw`(?:${secretName})[\w-]*["'\\]*\s*[:=]|--?[\w-]*(?:${secretName})[\w-]*\s+\S|bearer\s+\S|\s(?:-u|--user|--proxy-user)[\s=]*[^\s:]+:\S`,
  'i',
);
/**
 * What looks like a secret by itself: keys of well-known services, JSON Web Tokens, private keys,
 * passwords in URLs.
 */
const secretValue =
  /(?:\bsk-|\bgh[pousr]_|\bgithub_pat_|\bxox[abprs]-|\bglpat-)[\w-]{8}|\bA[KS]IA[\dA-Z]{16}|\bAIza[\w-]{30}|\beyJ[\w-]{8,}\.[\w-]+\.|-----BEGIN [A-Z ]*PRIVATE KEY|:\/\/[^\s/:@]*:[^\s/@]+@/;
/** A command line's option whose next word is a secret. */
const secretOption = new RegExp(String.raw`^--?[\w-]*(?:${secretName})[\w-]*$`, 'i');
/** An option whose next word is a user with a password, as of curl. */
const loginOption = /^(?:-u|-U|--user|--proxy-user)$/;
/**
 * Members whose value names what another member holds: `{ "name": "DB_PASSWORD", "value": "…" }`.
 */
const namingKeys: ReadonlySet<string> = new Set([
  'name',
  'key',
  'field',
  'header',
  'variable',
  'env',
]);

/** Replaces a secret. */
const leftOut = '(left out)';

/**
 * Argument text, or a value that a provider parsed, without secrets; undefined if they can't be
 * told from the rest.
 */
export function withoutSecrets(args: unknown): JsonValue | undefined {
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  if (text === undefined) return undefined;
  const value = plainJson(text);
  // An escape may hide a key.
  if (value === undefined) return looksSecret(text) || text.includes('\\u') ? undefined : text;
  const redactedValue = redactValue(value, false);
  return sameValue(redactedValue, value) ? text : JSON.stringify(redactedValue);
}

const looksSecret = (text: string): boolean => secretKey.test(text) || secretValue.test(text);

/** A message or a result as pages show it: one with a secret in it is left out. */
export function shownText(text: string): string {
  const value = plainJson(text);
  if (value === undefined) return isSecretText(text) ? leftOut : text;
  const redactedValue = redactValue(value, false);
  return sameValue(redactedValue, value) ? text : JSON.stringify(redactedValue);
}

/** The arguments for a log. `redacted`: they are not what was sent. */
export function recordedArguments(args: unknown): {
  readonly arguments?: JsonValue;
  readonly redacted?: true;
} {
  const safeArguments = withoutSecrets(args);
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  return {
    ...(safeArguments === undefined ? {} : { arguments: safeArguments }),
    ...(safeArguments === text ? {} : { redacted: true }),
  };
}

/** Values keep their types, so that the record can be interpreted again. */
function redactValue(value: JsonValue, isSecret: boolean): JsonValue {
  if (typeof value === 'string') return isSecret || isSecretText(value) ? leftOut : value;
  if (typeof value === 'number') return isSecret ? 0 : value;
  if (isJsonArray(value)) {
    return value.map((element, at) => redactValue(element, isSecret || isNamedBefore(value, at)));
  }
  if (!isJsonObject(value)) return value;
  const isNamed = Object.entries(value).some(
    ([key, member]) =>
      namingKeys.has(key.toLowerCase()) && typeof member === 'string' && secretKey.test(member),
  );
  return objectOf(
    Object.entries(value).map(([key, member]) => {
      const isOther = isNamed && !namingKeys.has(key.toLowerCase());
      return [key, redactValue(member, isSecret || isOther || secretKey.test(key))] as const;
    }),
  );
}

/**
 * Whether the element before one says that it is a secret: as an option of a command, or as the
 * first of a pair.
 */
function isNamedBefore(list: readonly JsonValue[], at: number): boolean {
  const [previous, element] = [list[at - 1], list[at]];
  if (typeof previous !== 'string') return false;
  const isPair = list.length === 2 && secretKey.test(previous);
  const isLogin =
    loginOption.test(previous) && typeof element === 'string' && element.includes(':');
  return isPair || isLogin || secretOption.test(previous);
}

/** Also of JSON in a text, whose keys may be escaped. */
function isSecretText(text: string): boolean {
  if (secretInText.test(text) || secretValue.test(text)) return true;
  const innerValue = /^\s*[[{"]/.test(text) ? plainJson(text) : undefined;
  return innerValue !== undefined && !sameValue(redactValue(innerValue, false), innerValue);
}
