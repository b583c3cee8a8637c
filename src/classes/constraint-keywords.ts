import { attempt } from '../collections/attempt.ts';
import { defined, isContainer } from '../collections/objects.ts';
import { type JsonValue } from '../json/value.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import { type ArgumentType, withoutNull } from './argument-type.ts';
import type { Constraint } from './class-validator.ts';
import { type EnumMember, enumMembers, isClass, isEnumMember } from './declarations.ts';

/** One of class-validator's checks in JSON Schema. */
export interface ConstraintMapping {
  /** The type that passes. Default: any. */
  readonly type?: (constraint: Constraint) => ArgumentType;
  /**
   * Keywords with the same meaning for a type without null; undefined: there are none, and the
   * check runs alone.
   */
  readonly keywords?: (constraint: Constraint, type: ArgumentType) => SchemaObject | undefined;
  /** Whether the check runs too, because the keywords accept values that it refuses. */
  readonly needsCheck?: (constraint: Constraint) => boolean;
}

type Mappings = Readonly<Record<string, ConstraintMapping>>;

const unknownType: ArgumentType = { kind: 'unknown' };
const string: ArgumentType = { kind: 'string' };
const number: ArgumentType = { kind: 'number' };
const date: ArgumentType = { kind: 'date' };
const array: ArgumentType = { kind: 'array', items: unknownType };
const object: ArgumentType = { kind: 'object' };

const always = (): boolean => true;

/** A check that only values of one type pass. */
const constraintOfType = (
  type: ArgumentType,
  keywords: SchemaObject | ((constraint: Constraint) => SchemaObject | undefined) = {},
  needsCheck: NonNullable<ConstraintMapping['needsCheck']> = () => false,
): ConstraintMapping => ({
  type: () => type,
  keywords: (constraint) => (typeof keywords === 'function' ? keywords(constraint) : keywords),
  needsCheck,
});

const numberAt = ({ parameters }: Constraint, index: number): number | undefined => {
  const parameter = parameters[index];
  return typeof parameter === 'number' && Number.isFinite(parameter) ? parameter : undefined;
};

const optionOf = ({ parameters: [options] }: Constraint, option: string): unknown =>
  isContainer(options) ? Reflect.get(options, option) : undefined;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isPrimitive = (value: unknown): value is JsonValue => value === null || isEnumMember(value);

const anyValue: Mappings = {
  isString: constraintOfType(string),
  isBoolean: constraintOfType({ kind: 'boolean' }),
  isDefined: { keywords: () => ({}) },
  isEnum: {
    type: ({ parameters: [entity] }) =>
      isContainer(entity) ? { kind: 'enum', values: enumMembers(entity) } : unknownType,
    keywords: () => ({}),
  },
  isIn: {
    type: ({ parameters: [values] }) => (hasMembers(values) ? oneOfValues(values) : unknownType),
    keywords: ({ parameters: [values] }) => (hasMembers(values) ? {} : undefined),
  },
  isNotIn: {
    keywords({ parameters: [values] }) {
      const refusedValues = isList(values) ? values.filter(isPrimitive) : [];
      return refusedValues.length === 0 ? {} : { not: { enum: refusedValues } };
    },
  },
  equals: {
    type: ({ parameters: [value] }) =>
      isEnumMember(value) ? { kind: 'const', value } : unknownType,
    keywords: ({ parameters: [value] }) => (isEnumMember(value) ? {} : undefined),
  },
  notEquals: {
    keywords: ({ parameters: [value] }) => (isPrimitive(value) ? { not: { const: value } } : {}),
  },
  isEmpty: {
    keywords: (_constraint, { kind }) => (kind === 'string' ? { maxLength: 0 } : undefined),
  },
  isNotEmpty: {
    keywords(_constraint, { kind }) {
      if (kind === 'string') return { minLength: 1 };
      return kind === 'array' ? { minItems: 1 } : {};
    },
  },
};

/**
 * Whether JSON can express at least one of the values. The others never equal a value that a model
 * sends.
 */
const hasMembers = (values: unknown): values is readonly unknown[] =>
  isList(values) && values.some(isEnumMember);

function oneOfValues(values: readonly unknown[]): ArgumentType {
  const type: ArgumentType = { kind: 'enum', values: enumMembers(values) };
  return values.includes(null) ? { kind: 'nullable', type } : type;
}

/** A bound that is the decorator's first parameter. */
const boundKeyword =
  (keyword: string) =>
  (constraint: Constraint): SchemaObject | undefined => {
    const value = numberAt(constraint, 0);
    return value === undefined ? undefined : { [keyword]: value };
  };

const degrees = (limit: number): ConstraintMapping => ({
  keywords: (_constraint, { kind }) =>
    kind === 'number' || kind === 'integer' ? { minimum: -limit, maximum: limit } : {},
  needsCheck: always,
});

const numbersAndDates: Mappings = {
  isInt: constraintOfType({ kind: 'integer' }),
  isNumber: constraintOfType(number, (constraint) =>
    optionOf(constraint, 'maxDecimalPlaces') === undefined ? {} : undefined,
  ),
  min: constraintOfType(number, boundKeyword('minimum')),
  max: constraintOfType(number, boundKeyword('maximum')),
  isPositive: constraintOfType(number, { exclusiveMinimum: 0 }),
  isNegative: constraintOfType(number, { exclusiveMaximum: 0 }),
  isDivisibleBy: constraintOfType(
    number,
    (constraint) => {
      const divisor = numberAt(constraint, 0) ?? 0;
      return Number.isInteger(divisor) && divisor > 0 ? { multipleOf: divisor } : undefined;
    },
    // The check decides about fractions that a float only approximates.
    always,
  ),
  isLatitude: degrees(90),
  isLongitude: degrees(180),
  isDate: constraintOfType(date),
  minDate: { type: () => date },
  maxDate: { type: () => date },
};

const size = (keyword: string): ConstraintMapping =>
  constraintOfType(array, (constraint) => {
    const length = numberAt(constraint, 0) ?? -1;
    return Number.isInteger(length) && length >= 0 ? { [keyword]: length } : undefined;
  });

const arraysAndObjects: Mappings = {
  isArray: constraintOfType(array),
  arrayMinSize: size('minItems'),
  arrayMaxSize: size('maxItems'),
  arrayNotEmpty: constraintOfType(array, { minItems: 1 }),
  arrayContains: constraintOfType(array, (constraint) => {
    const allOf = membersOf(constraint)?.map((value) => ({ contains: { const: value } }));
    if (allOf === undefined) return undefined;
    return allOf.length > 1 ? { allOf } : (allOf[0] ?? {});
  }),
  arrayNotContains: constraintOfType(array, (constraint) => {
    const values = membersOf(constraint);
    return values?.length === 0
      ? {}
      : values && { not: { type: 'array', contains: { enum: values } } };
  }),
  arrayUnique: constraintOfType(array, { uniqueItems: true }, comparesByFunction),
  isObject: constraintOfType(object),
  isNotEmptyObject: constraintOfType(
    object,
    { minProperties: 1 },
    (constraint) => optionOf(constraint, 'nullable') === false,
  ),
  isInstance: {
    type: ({ parameters: [Class] }) => (isClass(Class) ? { kind: 'class', Class } : unknownType),
    needsCheck: always,
  },
};

/** The decorator's list of values; undefined if JSON can't express all of them. */
function membersOf({ parameters: [values] }: Constraint): readonly EnumMember[] | undefined {
  if (!isList(values)) return undefined;
  const members = enumMembers(values);
  return members.length === new Set(values).size ? members : undefined;
}

/**
 * `@ArrayUnique` hides its identifier function, but two objects are equal only by such a function.
 */
function comparesByFunction({ check }: Constraint): boolean {
  return attempt(() => check?.passes([{}, {}], {})) !== true;
}

/**
 * Bounds of a string's length. `least`, `most`: indexes of the decorator's parameters; -1: none.
 */
const length = (least: number, most: number): ConstraintMapping =>
  constraintOfType(string, (constraint) => {
    const [minimum, maximum] = [numberAt(constraint, least), numberAt(constraint, most)];
    return defined({
      minLength: minimum && Math.max(0, Math.ceil(minimum)),
      maxLength: maximum && Math.max(0, Math.floor(maximum)),
    });
  });

const pattern = (source: string): ConstraintMapping =>
  constraintOfType(string, { pattern: source });

/** A pattern that has the same meaning only with the decorator's default options. */
const defaultPattern = (
  source: string,
  isDefault: (parameter: unknown) => boolean,
): ConstraintMapping =>
  constraintOfType(string, ({ parameters: [parameter] }) =>
    isDefault(parameter) ? { pattern: source } : undefined,
  );

const isEnglish = (locale: unknown): boolean => locale === undefined || locale === 'en-US';

function literalPattern({ parameters: [text] }: Constraint): SchemaObject | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  return { pattern: text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') };
}

/** undefined if the pattern has flags other than `u`, which a schema's patterns always have. */
function ownPattern(constraint: Constraint): SchemaObject | undefined {
  const regExp = regExpOf(constraint);
  if (regExp === undefined || !['', 'u'].includes(regExp.flags)) return undefined;
  return attempt(() => ({ pattern: new RegExp(regExp.source, 'u').source }));
}

function regExpOf({ parameters: [source, modifiers] }: Constraint): RegExp | undefined {
  if (source instanceof RegExp) return source;
  if (typeof source !== 'string') return undefined;
  return new RegExp(source, typeof modifiers === 'string' ? modifiers : '');
}

const hexDigits: ReadonlyMap<number, readonly string[]> = new Map([
  [8, ['crc32', 'crc32b']],
  [32, ['md5', 'md4', 'ripemd128', 'tiger128']],
  [40, ['sha1', 'ripemd160', 'tiger160']],
  [48, ['tiger192']],
  [64, ['sha256']],
  [96, ['sha384']],
  [128, ['sha512']],
]);

const strings: Mappings = {
  isLength: length(0, 1),
  minLength: length(0, -1),
  maxLength: length(-1, 0),
  // `u` changes what a pattern means.
  matches: constraintOfType(
    string,
    ownPattern,
    (constraint) => regExpOf(constraint)?.flags !== 'u',
  ),
  contains: constraintOfType(string, literalPattern),
  notContains: constraintOfType(string, (constraint) => {
    const keywords = literalPattern(constraint);
    return keywords && { not: { type: 'string', ...keywords } };
  }),
  isAlpha: defaultPattern('^[A-Za-z]+$', isEnglish),
  isAlphanumeric: defaultPattern('^[0-9A-Za-z]+$', isEnglish),
  isAscii: pattern('^[\\x00-\\x7F]+$'),
  isBase32: pattern('^(?=(?:.{8})+$)[A-Z2-7]+=*$'),
  isBase58: pattern('^[A-HJ-NP-Za-km-z1-9]*$'),
  isBase64: defaultPattern(
    '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    (options) => options === undefined,
  ),
  isBooleanString: constraintOfType({ kind: 'enum', values: ['true', 'false', '1', '0'] }),
  isHash: constraintOfType(string, ({ parameters: [algorithm] }) => {
    const lengthOfNames = [...hexDigits].find(([, names]) =>
      names.some((name) => name === algorithm),
    );
    return lengthOfNames && { pattern: `^[a-fA-F0-9]{${lengthOfNames[0]}}$` };
  }),
  isHexColor: pattern('^#?(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$'),
  isHexadecimal: pattern('^(?:0[xXhH])?[0-9A-Fa-f]+$'),
  isMilitaryTime: pattern('^(?:[01][0-9]|2[0-3]):?[0-5][0-9]$'),
  isMongoId: pattern('^(?:0[xXhH][0-9A-Fa-f]{22}|[0-9A-Fa-f]{24})$'),
  isMultibyte: pattern('[^\\x00-\\x7F]'),
  isNumberString: constraintOfType(string, (constraint) => {
    if (constraint.parameters[0] === undefined) return { pattern: '^[+-]?(?:[0-9]*[.])?[0-9]+$' };
    return optionOf(constraint, 'no_symbols') === true ? { pattern: '^[0-9]+$' } : undefined;
  }),
  isOctal: pattern('^(?:0[oO])?[0-7]+$'),
  IsFirebasePushId: pattern('^[a-zA-Z0-9_-]{20}$'),
};

/** Keywords with almost the same meaning: the check runs too. */
const checkedString = (
  keywords: SchemaObject | ((constraint: Constraint) => SchemaObject),
): ConstraintMapping => constraintOfType(string, keywords, always);

/** The third branch leaves other forms of ISO 8601 to the check. */
const isoDate = checkedString({
  anyOf: [{ format: 'date-time' }, { format: 'date' }, { pattern: '^[+-]?[0-9]{4}' }],
});

const stringFormats: Mappings = {
  // The keyword counts characters, the check bytes.
  isByteLength: checkedString((constraint) => defined({ maxLength: numberAt(constraint, 1) })),
  isDateString: isoDate,
  isEmail: checkedString({ format: 'email' }),
  isFqdn: checkedString({ format: 'hostname' }),
  isIp: checkedString(({ parameters: [version] }) => {
    if (version === undefined) return { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] };
    return { format: version === 6 || version === '6' ? 'ipv6' : 'ipv4' };
  }),
  isIso8601: isoDate,
  isJson: checkedString({ contentMediaType: 'application/json' }),
  isRFC3339: checkedString({ format: 'date-time' }),
  isUrl: checkedString((constraint) =>
    optionOf(constraint, 'require_protocol') === true
      ? { format: 'uri' }
      : { anyOf: [{ format: 'uri' }, { pattern: '^[^\\s<>]+$' }] },
  ),
  isUuid: checkedString({ format: 'uuid' }),
};

/** Checks of strings that no keyword approximates. */
const onlyChecked = `
  isBIC isBtcAddress isCreditCard isCurrency isDataURI isDecimal isEAN isEthereumAddress isFullWidth isHSL isHalfWidth
  isIBAN isIdentityCard isIsbn isIsin isISO31661Alpha2 isISO31661Alpha3 isISO31661Numeric isISO4217CurrencyCode isISO6391
  isISRC isISSN isJwt isLatLong isLocale isLowercase isMacAddress isMagnetURI isMimeType isMobilePhone isPassportNumber
  isPhoneNumber isPort isPostalCode isRgbColor isSemVer isStrongPassword isSurrogatePair isTaxId isTimeZone isUppercase
  isVariableWidth`;

const mappings: ReadonlyMap<string, ConstraintMapping> = new Map([
  ...onlyChecked
    .trim()
    .split(/\s+/)
    .map((name): [string, ConstraintMapping] => [name, { type: () => string }]),
  ...Object.entries({
    ...anyValue,
    ...numbersAndDates,
    ...arraysAndObjects,
    ...strings,
    ...stringFormats,
  }),
]);

/** Undefined for a check of the program's own. */
export const constraintMapping = ({
  name,
  origin,
}: Pick<Constraint, 'name' | 'origin'>): ConstraintMapping | undefined =>
  origin === 'program' ? undefined : mappings.get(name);

/**
 * The keywords of a constraint on a value of this type; undefined if the schema can't express it.
 */
export const keywordsOf = (constraint: Constraint, type: ArgumentType): SchemaObject | undefined =>
  constraintMapping(constraint)?.keywords?.(constraint, withoutNull(type));
