// Leaves out of recorded arguments what looks like a secret.
import { plainJson } from '../json/json-edits.ts';
import { type JsonValue, isJsonArray, isJsonObject, objectOf } from '../json/value.ts';

const secretName = String.raw`pass(?:word|wd|phrase|code)|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|authori[sz]ation|credential|cookie|bearer`;

/** A key that names a secret. */
const secretKey = new RegExp(secretName, 'i');
/** A text with a secret in it: `"password": "…"`, `API_KEY=…`, `Authorization: Bearer …`. */
const secretInText = new RegExp(String.raw`(?:${secretName})[\w-]*["'\\]*\s*[:=]|bearer\s+\S`, 'i');

/** What stands for a secret. */
const leftOut = '(left out)';

/** Argument text, or a value that a provider parsed, without secrets; undefined if they can't be told from the rest. */
export function withoutSecrets(sent: unknown): JsonValue | undefined {
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  if (text === undefined) return undefined;
  if (!secretKey.test(text)) return text;
  const value = plainJson(text);
  if (value === undefined) return undefined;
  return JSON.stringify(redacted(value, false));
}

/** The arguments for a log. `redacted`: they are not what was sent. */
export function recordedArguments(sent: unknown): {
  readonly arguments?: JsonValue;
  readonly redacted?: true;
} {
  const kept = withoutSecrets(sent);
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  return {
    ...(kept === undefined ? {} : { arguments: kept }),
    ...(kept === text ? {} : { redacted: true }),
  };
}

/** Values keep their types, so that the record can be interpreted again. */
function redacted(value: JsonValue, isSecret: boolean): JsonValue {
  if (typeof value === 'string') return isSecret || secretInText.test(value) ? leftOut : value;
  if (typeof value === 'number') return isSecret ? 0 : value;
  if (isJsonArray(value)) return value.map((element) => redacted(element, isSecret));
  if (!isJsonObject(value)) return value;
  return objectOf(
    Object.entries(value).map(
      ([key, member]) => [key, redacted(member, isSecret || secretKey.test(key))] as const,
    ),
  );
}
