import type { JsonValue } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { type ArgumentType, withoutNull } from './argument-type.ts';
import type { Constraint } from './class-validator.ts';
import { type EnumMember, enumMembers } from './declarations.ts';

// What it says of the type, which keywords say the same, and whether its own check has to run beside them.
export interface ConstraintForm {
  /** What the value must be for the decorator to pass; absent: it says nothing of the type. */
  readonly states?: (constraint: Constraint) => ArgumentType;
  /** JSON Schema keywords; undefined: these parameters can't be said, so the own check runs alone. */
  readonly keywords?: (constraint: Constraint, type: ArgumentType) => SchemaObject | undefined;
  /** True if the keywords accept values that the decorator refuses, so that its own check runs too. */
  readonly differs?: (constraint: Constraint) => boolean;
  /** What a reader of the table should know, as where the keywords are stricter than the decorator. */
  readonly remark?: string;
}

/** By class-validator's name of the check. */
export type ConstraintForms = Readonly<Record<string, ConstraintForm>>;

const always = (): boolean => true;

const numberAt = ({ parameters }: Constraint, index: number): number | undefined => {
  const parameter = parameters[index];
  return typeof parameter === 'number' && Number.isFinite(parameter) ? parameter : undefined;
};

const stringAt = ({ parameters }: Constraint, index: number): string | undefined => {
  const parameter = parameters[index];
  return typeof parameter === 'string' ? parameter : undefined;
};

/** A member of the options object that the decorator was given. */
const optionOf = ({ parameters }: Constraint, option: string): unknown => {
  const [options] = parameters;
  return typeof options === 'object' && options !== null ? Reflect.get(options, option) : undefined;
};

const open: ArgumentType = { kind: 'open' };

const commonForms: ConstraintForms = {
  isString: { states: () => ({ kind: 'string' }), keywords: () => ({}) },
  isBoolean: { states: () => ({ kind: 'boolean' }), keywords: () => ({}) },
  isDefined: { keywords: () => ({}), remark: 'the field is required, and null is refused' },
  isEnum: {
    states: ({ parameters: [entity] }) =>
      isObject(entity) ? { kind: 'enum', values: enumMembers(entity) } : open,
    keywords: () => ({}),
    remark: 'names of a numeric enum, which class-validator lets pass, are refused',
  },
  isIn: {
    states: ({ parameters: [values] }) => (isList(values) && isSayable(values) ? oneOfValues(values) : open),
    keywords: ({ parameters: [values] }) => (isList(values) && isSayable(values) ? {} : undefined),
  },
  isNotIn: {
    keywords({ parameters: [values] }) {
      const refused = isList(values) ? values.filter(isPrimitive) : [];
      return refused.length === 0 ? {} : { not: { enum: refused } };
    },
  },
  equals: {
    states: ({ parameters: [value] }) => (isMember(value) ? { kind: 'const', value } : open),
    keywords: ({ parameters: [value] }) => (isMember(value) ? {} : undefined),
  },
  notEquals: {
    keywords: ({ parameters: [value] }) => (isPrimitive(value) ? { not: { const: value } } : {}),
  },
  isEmpty: {
    keywords: (_constraint, type) => (withoutNull(type).kind === 'string' ? { maxLength: 0 } : undefined),
    remark: 'text: the empty text; of any other type nothing is empty but null',
  },
  isNotEmpty: {
    keywords: notEmpty,
    remark:
      'text: at least one character; a list: at least one element, which class-validator does not ask for',
  },
};

function notEmpty(_constraint: Constraint, type: ArgumentType): { readonly [keyword: string]: number } {
  const { kind } = withoutNull(type);
  if (kind === 'string') return { minLength: 1 };
  return kind === 'array' ? { minItems: 1 } : {};
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isMember = (value: unknown): value is EnumMember =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const isPrimitive = (value: unknown): value is JsonValue => value === null || isMember(value);

/** A value JSON can't hold never equals one that a model sent; but a list of nothing else can't be said. */
const isSayable = (values: readonly unknown[]): boolean => values.some(isMember);

const oneOfValues = (values: readonly unknown[]): ArgumentType => {
  const type: ArgumentType = { kind: 'enum', values: enumMembers(values) };
  return values.includes(null) ? { kind: 'nullable', type } : type;
};

const list: ArgumentType = { kind: 'array', items: { kind: 'open' } };
const object: ArgumentType = { kind: 'object' };

const size = (keyword: string): ConstraintForm => ({
  states: () => list,
  keywords(constraint) {
    const length = numberAt(constraint, 0);
    return length === undefined || length < 0 || !Number.isInteger(length)
      ? undefined
      : { [keyword]: length };
  },
});

/** The values a decorator was given as a list, if JSON can hold each. */
function membersOf({ parameters: [values] }: Constraint): readonly EnumMember[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const members = enumMembers(values);
  return members.length === new Set(values).size ? members : undefined;
}

const listForms: ConstraintForms = {
  isArray: {
    states: () => list,
    keywords: () => ({}),
    remark: 'the element type needs a decorator of its own',
  },
  arrayMinSize: size('minItems'),
  arrayMaxSize: size('maxItems'),
  arrayNotEmpty: { states: () => list, keywords: () => ({ minItems: 1 }) },
  arrayContains: {
    states: () => list,
    keywords: (constraint) => containsEach(membersOf(constraint)),
  },
  arrayNotContains: {
    states: () => list,
    keywords(constraint) {
      const values = membersOf(constraint);
      if (values === undefined) return undefined;
      return values.length === 0 ? {} : { not: { contains: { enum: values } } };
    },
  },
  arrayUnique: {
    states: () => list,
    keywords: () => ({ uniqueItems: true }),
    differs: comparesByFunction,
    remark: 'elements are compared by value; with a function, its own check runs too',
  },
  isObject: {
    states: () => object,
    keywords: () => ({}),
    remark: 'a map of anything, unless a class is named',
  },
  isNotEmptyObject: {
    states: () => object,
    keywords: () => ({ minProperties: 1 }),
    differs: (constraint) => optionOf(constraint, 'nullable') === false,
    remark: 'with `{ nullable: false }` its own check runs too',
  },
  isInstance: { states: instanceType, differs: always, remark: 'the class becomes the type' },
};

function containsEach(values: readonly EnumMember[] | undefined): SchemaObject | undefined {
  if (values === undefined) return undefined;
  const [first, ...others] = values.map((value) => ({ contains: { const: value } }));
  if (first === undefined) return {};
  return others.length === 0 ? first : { allOf: [first, ...others] };
}

function instanceType({ parameters: [Class] }: Constraint): ArgumentType {
  return isClass(Class) ? { kind: 'class', Class } : { kind: 'open' };
}

const isClass = (value: unknown): value is new (...parameters: never[]) => object =>
  typeof value === 'function';

// @ArrayUnique keeps its function to itself. Two objects are unique unless a function makes them something else.
function comparesByFunction({ check }: Constraint): boolean {
  try {
    return check?.passes([{}, {}], {}) !== true;
  } catch {
    return true;
  }
}

const number: ArgumentType = { kind: 'number' };
const date: ArgumentType = { kind: 'date' };

const bound = (keyword: string): ConstraintForm => ({
  states: () => number,
  keywords: (constraint) => withNumber(keyword, numberAt(constraint, 0)),
});

const withNumber = (keyword: string, value: number | undefined): SchemaObject | undefined =>
  value === undefined ? undefined : { [keyword]: value };

const degrees = (limit: number): ConstraintForm => ({
  keywords: (_constraint, { kind }) =>
    kind === 'number' || kind === 'integer' ? { minimum: -limit, maximum: limit } : {},
  differs: always,
  remark: 'says nothing of the type: number or text',
});

const dateBound: ConstraintForm = { states: () => date };

const numberForms: ConstraintForms = {
  isInt: { states: () => ({ kind: 'integer' }), keywords: () => ({}) },
  isNumber: {
    states: () => number,
    keywords: (constraint: Constraint) =>
      optionOf(constraint, 'maxDecimalPlaces') === undefined ? {} : undefined,
    remark: 'JSON has no NaN and no Infinity, whatever the options say; `maxDecimalPlaces` is checked only',
  },
  min: bound('minimum'),
  max: bound('maximum'),
  isPositive: { states: () => number, keywords: () => ({ exclusiveMinimum: 0 }) },
  isNegative: { states: () => number, keywords: () => ({ exclusiveMaximum: 0 }) },
  isDivisibleBy: {
    states: () => number,
    keywords(constraint) {
      const divisor = numberAt(constraint, 0);
      return divisor !== undefined && Number.isInteger(divisor) && divisor > 0
        ? { multipleOf: divisor }
        : undefined;
    },
    differs: always,
    remark: 'fractions that a float can only come near to are left to its own check',
  },
  isLatitude: degrees(90),
  isLongitude: degrees(180),
  isDate: {
    states: () => date,
    keywords: () => ({}),
    remark: 'the model sends text, the tool gets a Date; text that is no date is refused',
  },
  minDate: dateBound,
  maxDate: dateBound,
};

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

const textFormatForms: ConstraintForms = {
  ...Object.fromEntries(checkedNames.map((name) => [name, checked])),
  isByteLength: near(byteLength, 'characters are counted by the keyword, bytes by its own check'),
  isDateString: isoDate,
  isEmail: near(() => ({ format: 'email' }), 'addresses with quotes or letters beyond ASCII are refused'),
  isFqdn: near(() => ({ format: 'hostname' }), 'names with letters beyond ASCII are refused'),
  isIp: near(ip, 'addresses with a zone are refused'),
  isIso8601: isoDate,
  isJson: near(
    () => ({ contentMediaType: 'application/json' }),
    'the keyword only tells, its own check validates',
  ),
  isRFC3339: near(() => ({ format: 'date-time' }), 'days that no month has are refused'),
  isUrl: near(url, 'without `require_protocol`, the second branch leaves the rest to its own check'),
  isUuid: near(() => ({ format: 'uuid' }), 'the version is left to its own check'),
};

const text: ArgumentType = { kind: 'string' };

const codePoints = 'counts code points; class-validator leaves out variation selectors';

const exactly = (pattern: string, remark?: string): ConstraintForm => ({
  states: () => text,
  keywords: () => ({ pattern }),
  ...(remark === undefined ? {} : { remark }),
});

/** A pattern that holds only for the decorator's own defaults. */
const byDefault = (pattern: string, isDefault: (constraint: Constraint) => boolean): ConstraintForm => ({
  states: () => text,
  keywords: (constraint) => (isDefault(constraint) ? { pattern } : undefined),
  remark: 'with options it is checked only',
});

const hasNoParameter = ({ parameters: [parameter] }: Constraint): boolean => parameter === undefined;

const isEnglish = ({ parameters: [locale] }: Constraint): boolean =>
  locale === undefined || locale === 'en-US';

const length = (minimum: number | undefined, maximum: number | undefined): SchemaObject => ({
  ...(minimum === undefined ? {} : { minLength: Math.max(0, Math.ceil(minimum)) }),
  ...(maximum === undefined ? {} : { maxLength: Math.max(0, Math.floor(maximum)) }),
});

/** A pattern that finds this very text. */
function literally(constraint: Constraint): string | undefined {
  return stringAt(constraint, 0)?.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

const withPattern = (pattern: string | undefined): SchemaObject | undefined =>
  pattern === undefined || pattern === '' ? undefined : { pattern };

const hashLengths: Readonly<Record<string, number>> = {
  md5: 32,
  md4: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
  ripemd128: 32,
  ripemd160: 40,
  tiger128: 32,
  tiger160: 40,
  tiger192: 48,
  crc32: 8,
  crc32b: 8,
};

function hashPattern(constraint: Constraint): SchemaObject | undefined {
  const algorithm = stringAt(constraint, 0) ?? '';
  if (!Object.hasOwn(hashLengths, algorithm)) return undefined;
  return { pattern: `^[a-fA-F0-9]{${String(hashLengths[algorithm])}}$` };
}

/** A pattern means the same with the flag `u`, which a schema's patterns have, only where it has it already. */
function ownPattern({ parameters: [pattern, modifiers] }: Constraint): SchemaObject | undefined {
  const found = toRegExp(pattern, modifiers);
  if (found === undefined || !['', 'u'].includes(found.flags)) return undefined;
  try {
    return { pattern: new RegExp(found.source, 'u').source };
  } catch {
    return undefined;
  }
}

function toRegExp(pattern: unknown, modifiers: unknown): RegExp | undefined {
  if (pattern instanceof RegExp) return pattern;
  if (typeof pattern !== 'string') return undefined;
  return new RegExp(pattern, typeof modifiers === 'string' ? modifiers : '');
}

const textForms: ConstraintForms = {
  isLength: {
    states: () => text,
    keywords: (constraint) => length(numberAt(constraint, 0), numberAt(constraint, 1)),
    remark: codePoints,
  },
  minLength: {
    states: () => text,
    keywords: (constraint) => length(numberAt(constraint, 0), undefined),
    remark: codePoints,
  },
  maxLength: {
    states: () => text,
    keywords: (constraint) => length(undefined, numberAt(constraint, 0)),
    remark: codePoints,
  },
  matches: {
    states: () => text,
    keywords: ownPattern,
    differs: ({ parameters: [pattern, modifiers] }) => toRegExp(pattern, modifiers)?.flags !== 'u',
    remark:
      'a pattern without flags is checked again, since `u` changes what it means; with other flags it is checked only',
  },
  contains: {
    states: () => text,
    keywords: (constraint) => withPattern(literally(constraint)),
  },
  notContains: {
    states: () => text,
    keywords(constraint) {
      const found = withPattern(literally(constraint));
      return found === undefined ? undefined : { not: found };
    },
  },
  isAlpha: byDefault('^[A-Za-z]+$', isEnglish),
  isAlphanumeric: byDefault('^[0-9A-Za-z]+$', isEnglish),
  isAscii: exactly('^[\\x00-\\x7F]+$'),
  isBase32: exactly('^(?=(?:.{8})+$)[A-Z2-7]+=*$'),
  isBase58: exactly('^[A-HJ-NP-Za-km-z1-9]*$'),
  isBase64: byDefault('^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$', hasNoParameter),
  isBooleanString: {
    states: () => ({ kind: 'enum', values: ['true', 'false', '1', '0'] }),
    keywords: () => ({}),
  },
  isHash: { states: () => text, keywords: hashPattern },
  isHexColor: exactly('^#?(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$'),
  isHexadecimal: exactly('^(?:0[xXhH])?[0-9A-Fa-f]+$'),
  isMilitaryTime: exactly('^(?:[01][0-9]|2[0-3]):?[0-5][0-9]$'),
  isMongoId: exactly('^(?:0[xXhH][0-9A-Fa-f]{22}|[0-9A-Fa-f]{24})$'),
  isMultibyte: exactly('[^\\x00-\\x7F]'),
  isNumberString: {
    states: () => text,
    keywords(constraint) {
      if (hasNoParameter(constraint)) return { pattern: '^[+-]?(?:[0-9]*[.])?[0-9]+$' };
      return optionOf(constraint, 'no_symbols') === true ? { pattern: '^[0-9]+$' } : undefined;
    },
    remark: 'with a locale it is checked only',
  },
  isOctal: exactly('^(?:0[oO])?[0-7]+$'),
  IsFirebasePushId: exactly('^[a-zA-Z0-9_-]{20}$'),
};

// One table, made of the files beside it.
const forms: ReadonlyMap<string, ConstraintForm> = new Map(
  Object.entries({ ...commonForms, ...numberForms, ...listForms, ...textForms, ...textFormatForms }),
);

/** The form of a check by class-validator's name for it; undefined for an application's own. */
export const constraintForm = (name: string): ConstraintForm | undefined => forms.get(name);
