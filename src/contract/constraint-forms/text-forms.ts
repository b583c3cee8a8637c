// What do class-validator's decorators on text become, where a keyword or a pattern says the same?
import type { SchemaObject } from '../../json/json-schema.ts';
import type { Constraint } from '../../metadata/constraint.ts';
import type { ArgumentType } from '../argument-types/argument-type.ts';
import {
  numberAt,
  optionOf,
  stringAt,
  type ConstraintForm,
  type ConstraintForms,
} from './constraint-form.ts';

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

export const textForms: ConstraintForms = {
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
