// The formats that are validated: those of JSON Schema and OpenAPI, as ajv-formats reads them in
// its mode `full`.
import { once } from '../collections/once.ts';
import { attempt } from '../collections/attempt.ts';
import { type JsonValue } from '../json/value.ts';

/** Accepts text, or a number. A format says nothing about values of other types. */
export type Format =
  | { readonly type: 'string'; readonly accepts: (text: string) => boolean }
  | { readonly type: 'number'; readonly accepts: (value: number) => boolean };

const text = (accepts: (text: string) => boolean): Format => ({ type: 'string', accepts });
const number = (accepts: (value: number) => boolean): Format => ({ type: 'number', accepts });
const pattern = (source: string, flags = 'i'): Format => {
  const expression = once(() => new RegExp(`^${source}$`, flags));
  return text((value) => expression().test(value));
};

/** Whether a value has a format. Values of another type than the format's have it. */
export const hasFormat = (format: Format, value: JsonValue): boolean =>
  format.type === 'string'
    ? typeof value !== 'string' || format.accepts(value)
    : typeof value !== 'number' || format.accepts(value);

const daysOf = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `full-date` of https://www.rfc-editor.org/rfc/rfc3339#section-5.6 */
function isDate(value: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? []).map(
    Number,
  );
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (month === 2 && isLeap ? 29 : (daysOf[month - 1] ?? 0));
}

/** `full-time` of the same; second 60 only where it can be a leap second, at 23:59 UTC. */
function isTime(value: string, zone: 'required' | 'optional'): boolean {
  const match = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(z|([+-])(\d\d)(?::?(\d\d))?)?$/i.exec(value);
  if (match === null || (zone === 'required' && match[4] === undefined)) return false;
  const [hour, minute, second, zoneHour, zoneMinute] = [1, 2, 3, 6, 7].map((group) =>
    Number(match[group] ?? 0),
  );
  if (hour === undefined || minute === undefined || second === undefined) return false;
  if (zoneHour === undefined || zoneMinute === undefined || zoneHour > 23 || zoneMinute > 59)
    return false;
  if (hour <= 23 && minute <= 59 && second < 60) return true;
  const sign = match[5] === '-' ? -1 : 1;
  const utcMinute = minute - zoneMinute * sign;
  const utcHour = hour - zoneHour * sign - (utcMinute < 0 ? 1 : 0);
  return (
    (utcHour === 23 || utcHour === -1) && (utcMinute === 59 || utcMinute === -1) && second < 61
  );
}

/**
 * Whether a text is plainly a date and time in UTC: `2026-03-01T12:00:00Z`, perhaps with a fraction
 * of a second. False says nothing: the days 29 to 31, leap seconds and other zones are left to the
 * exact reading, which takes twenty times as long.
 */
function isPlainDateTime(value: string): boolean {
  const twoDigits = (at: number): number => {
    const tens = value.charCodeAt(at) - 48;
    const ones = value.charCodeAt(at + 1) - 48;
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Infinity;
  };
  const isPlain =
    value[4] === '-' &&
    value[7] === '-' &&
    value[10] === 'T' &&
    value[13] === ':' &&
    value[16] === ':' &&
    value.endsWith('Z');
  if (!isPlain || twoDigits(0) > 99 || twoDigits(2) > 99) return false;
  const [month, day] = [twoDigits(5), twoDigits(8)];
  if (month < 1 || month > 12 || day < 1 || day > 28) return false;
  if (twoDigits(11) > 23 || twoDigits(14) > 59 || twoDigits(17) > 59) return false;
  if (value.length === 20) return true;
  if (value[19] !== '.' || value.length < 22) return false;
  for (let at = 20; at < value.length - 1; at += 1)
    if (value.charCodeAt(at) < 48 || value.charCodeAt(at) > 57) return false;
  return true;
}

function isDateTime(value: string, zone: 'required' | 'optional'): boolean {
  if (isPlainDateTime(value)) return true;
  const [date = '', time = '', ...more] = value.split(/t|\s/i);
  return more.length === 0 && isDate(date) && isTime(time, zone);
}

const hex = '[0-9a-f]{1,4}';
const byte = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const ipv4 = String.raw`(?:${byte}\.){3}${byte}`;

/**
 * One alternative per number of groups before `::`; after six or seven groups little can follow, so
 * these are written out.
 */
const ipv6 = [
  `(?:${hex}:){7}(?:${hex}|:)`,
  `(?:${hex}:){6}(?::${hex}|${ipv4}|:)`,
  ...[5, 4, 3, 2, 1, 0].map((groupsBefore) => {
    const start = groupsBefore === 0 ? ':' : `(?:${hex}:){${groupsBefore}}`;
    return `${start}(?:(?::${hex}){1,${7 - groupsBefore}}|(?::${hex}){0,${5 - groupsBefore}}:${ipv4}|:)`;
  }),
].join('|');

/** https://www.rfc-editor.org/rfc/rfc3986#appendix-A. References may contain quotation marks. */
function uriPattern(scheme: 'required' | 'optional'): string {
  const escapedByte = '%[0-9a-f]{2}';
  const plain = String.raw`a-z0-9\-._~!$&'()*+,;=`;
  const inPath = scheme === 'optional' ? `${plain}"` : plain;
  const one = `(?:[${inPath}:@]|${escapedByte})`;
  const octet = String.raw`(?:25[0-5]|2[0-4]\d|[01]?\d\d?)`;
  const address = String.raw`(?:${octet}\.){3}${octet}`;
  const upTo = (most: number): string => `(?:(?:${hex}:){0,${most}}${hex})?::`;
  const groups = [
    `(?:${hex}:){6}`,
    ...[5, 4, 3, 2, 1, 0].map(
      (count) => `${count === 5 ? '::' : upTo(4 - count)}(?:${hex}:){${count}}`,
    ),
  ];
  const host6 = `(?:${groups.join('|')})(?:${hex}:${hex}|${address})|${upTo(5)}${hex}|${upTo(6)}`;
  const host = String.raw`(?:\[(?:${host6}|v[0-9a-f]+\.[${plain}:]+)\]|${address}|(?:[${inPath}]|${escapedByte})*)`;
  const segments = `(?:/${one}*)*`;
  const authority = String.raw`/?/(?:(?:[${plain}:]|${escapedByte})*@)?${host}(?::\d*)?${segments}`;
  const rootedPointer = `/(?:${one}+${segments})?`;
  const rest = `(?:[${inPath}:@/?]|${escapedByte})*`;
  const isOptional = scheme === 'optional' ? '?' : '';
  const start = String.raw`(?:[a-z][a-z0-9+\-.]*:)${isOptional}`;
  return String.raw`${start}(?:${authority}|${rootedPointer}|${one}+${segments})${isOptional}(?:\?${rest})?(?:#${rest})?`;
}

const uri = pattern(uriPattern('required'));

const isRegularExpression = (source: string): boolean =>
  // `\Z` is Python's end of text; JavaScript would read the letter Z.
  !/[^\\]\\Z/.test(source) && attempt(() => new RegExp(source)) !== undefined;

const mail = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const wide = String.raw`[a-z0-9\u{a1}-\u{ffff}]`;
const domain = `(?:${wide}+-)*${wide}+`;
const variable = '(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\\*)?';
const pointer = '(?:/(?:[^~/]|~0|~1)*)*';

export const formats: ReadonlyMap<string, Format> = new Map(
  Object.entries({
    date: text(isDate),
    time: text((value) => isTime(value, 'required')),
    'date-time': text((value) => isDateTime(value, 'required')),
    'iso-time': text((value) => isTime(value, 'optional')),
    'iso-date-time': text((value) => isDateTime(value, 'optional')),
    duration: pattern(
      String.raw`P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|(?:\d+W)?)`,
      '',
    ),
    uri: text((value) => /[/:]/.test(value) && hasFormat(uri, value)),
    'uri-reference': pattern(uriPattern('optional')),
    'uri-template': pattern(
      String.raw`(?:(?:[^\x00-\x20"'<>%\\^${'`'}{|}]|%[0-9a-f]{2})|\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\})*`,
    ),
    // https://gist.github.com/dperini/729294
    url: pattern(
      String.raw`(?:https?|ftp):\/\/(?:\S+(?::\S*)?@)?(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:${domain})(?:\.${domain})*(?:\.(?:[a-z\u{a1}-\u{ffff}]{2,})))(?::\d{2,5})?(?:\/[^\s]*)?`,
      'iu',
    ),
    email: pattern(String.raw`${mail}(?:\.${mail})*@(?:${label}\.)+${label}`),
    hostname: pattern(
      String.raw`(?=.{1,253}\.?$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*\.?`,
    ),
    ipv4: pattern(ipv4),
    ipv6: pattern(`(?:${ipv6})`),
    regex: text(isRegularExpression),
    uuid: pattern('(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'),
    'json-pointer': pattern(pointer),
    'json-pointer-uri-fragment': pattern(
      String.raw`#(?:/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*`,
    ),
    'relative-json-pointer': pattern(`(?:0|[1-9][0-9]*)(?:#|${pointer})`),
    byte: pattern('(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?', 'm'),
    int32: number((value) => Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31),
    // The range isn't checked, as in ajv-formats.
    int64: number((value) => Number.isInteger(value)),
  }),
);
