// What do class-validator's decorators on text become, where a format comes near or no keyword says it?
import type { SchemaObject } from '../../json/json-schema.ts';
import type { Constraint } from '../../metadata/constraint.ts';
import type { ArgumentType } from '../argument-types/argument-type.ts';
import { always, numberAt, optionOf, type ConstraintForm, type ConstraintForms } from './constraint-form.ts';

const text: ArgumentType = { kind: 'string' };

/** A format that is not quite what the decorator checks. */
const near = (keywords: (constraint: Constraint) => SchemaObject, remark: string): ConstraintForm => ({
  states: () => text,
  keywords,
  differs: always,
  remark,
});

/** Text with rules that only code can say. */
const checked: ConstraintForm = { states: () => text };

const isoText = {
  anyOf: [{ format: 'date-time' }, { format: 'date' }, { pattern: '^[+-]?[0-9]{4}' }],
} as const satisfies SchemaObject;

const isoDate = near(() => isoText, 'the third branch leaves ISO 8601’s other forms to its own check');

const ip = (constraint: Constraint): SchemaObject => {
  const [version] = constraint.parameters;
  if (version === undefined) return { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] };
  return { format: version === 6 || version === '6' ? 'ipv6' : 'ipv4' };
};

const url = (constraint: Constraint): SchemaObject =>
  optionOf(constraint, 'require_protocol') === true
    ? { format: 'uri' }
    : { anyOf: [{ format: 'uri' }, { pattern: '^[^\\s<>]+$' }] };

const byteLength = (constraint: Constraint): SchemaObject => {
  const most = numberAt(constraint, 1);
  return most === undefined ? {} : { maxLength: most };
};

const checkedNames = [
  'isBIC',
  'isBtcAddress',
  'isCreditCard',
  'isCurrency',
  'isDataURI',
  'isDecimal',
  'isEAN',
  'isEthereumAddress',
  'isFullWidth',
  'isHSL',
  'isHalfWidth',
  'isIBAN',
  'isIdentityCard',
  'isIsbn',
  'isIsin',
  'isISO31661Alpha2',
  'isISO31661Alpha3',
  'isISO31661Numeric',
  'isISO4217CurrencyCode',
  'isISO6391',
  'isISRC',
  'isISSN',
  'isJwt',
  'isLatLong',
  'isLocale',
  'isLowercase',
  'isMacAddress',
  'isMagnetURI',
  'isMimeType',
  'isMobilePhone',
  'isPassportNumber',
  'isPhoneNumber',
  'isPort',
  'isPostalCode',
  'isRgbColor',
  'isSemVer',
  'isStrongPassword',
  'isSurrogatePair',
  'isTaxId',
  'isTimeZone',
  'isUppercase',
  'isVariableWidth',
] as const;

export const textFormatForms: ConstraintForms = {
  ...Object.fromEntries(checkedNames.map((name) => [name, checked])),
  isByteLength: near(byteLength, 'characters are counted by the keyword, bytes by its own check'),
  isDateString: isoDate,
  isEmail: near(() => ({ format: 'email' }), 'addresses with quotes or letters beyond ASCII are refused'),
  isFqdn: near(() => ({ format: 'hostname' }), 'names with letters beyond ASCII are refused'),
  isIp: near(ip, 'addresses with a zone are refused'),
  isIso8601: isoDate,
  isJson: near(
    () => ({ contentMediaType: 'application/json' }),
    'the keyword only tells, its own check judges',
  ),
  isRFC3339: near(() => ({ format: 'date-time' }), 'days that no month has are refused'),
  isUrl: near(url, 'without `require_protocol`, the second branch leaves the rest to its own check'),
  isUuid: near(() => ({ format: 'uuid' }), 'the version is left to its own check'),
};
