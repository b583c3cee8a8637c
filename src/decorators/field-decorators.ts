import type { ArgumentClass, FieldFact } from '../classes/declarations.ts';
import type { JsonValue } from '../json/value.ts';
import { declare, declareMisplaced, fieldDecorator, targetOf } from './declare.ts';
import {
  type EnumLike,
  type FieldType,
  arrayOf,
  enumOf,
  oneOf,
  readFieldType,
  recordOf,
  tupleOf,
} from './types.ts';

/** Further names under which the field is accepted; no model is shown them. */
export const Alias = (...names: readonly string[]): PropertyDecorator =>
  fieldDecorator('@Alias', { about: 'aliases', names: Object.freeze([...names]) });

/** The field is a list: `@ArrayOf(String)`, `@ArrayOf(() => Edit)`, `@ArrayOf(arrayOf(Number))`. */
export const ArrayOf = (items: FieldType): PropertyDecorator =>
  fieldDecorator('@ArrayOf', { about: 'type', type: arrayOf(items) });

/** The field may be left out, and is then a copy of `value`, written as the model would send it. */
export const Default = (value: JsonValue): PropertyDecorator =>
  fieldDecorator('@Default', { about: 'default', value });

/** The description that the model reads beside the argument. */
export const Describe = (text: string): PropertyDecorator =>
  fieldDecorator('@Describe', { about: 'description', text });

/** The field is one of an enum's values, or of a list: `@EnumOf(Color)`, `@EnumOf(['asc', 'desc'])`. */
export const EnumOf = (values: EnumLike): PropertyDecorator =>
  fieldDecorator('@EnumOf', { about: 'type', type: enumOf(values) });

export interface FieldOptions {
  /** `String`, `() => Class`, `arrayOf(Number)`, … Not needed where class-validator's decorators say it. */
  readonly type?: FieldType;
  /** What the model reads beside the argument; the same as `@Describe`. */
  readonly description?: string;
  /** A name for people. */
  readonly title?: string;
  /** `off`: the hints in the tool's description say nothing of this argument. Default: they may. */
  readonly hints?: 'off';
}

/** Makes a field an argument, and says what is known of it. */
export const Field =
  (options: FieldOptions = {}): PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf('@Field', call);
    if (target.kind === 'field') for (const fact of factsOf(options)) declare('@Field', target, fact);
    else declareMisplaced('@Field', target, 'put it on a field that is an argument');
  };

const factsOf = ({ type, description, title, hints }: FieldOptions): readonly FieldFact[] => [
  { about: 'field' },
  ...(type === undefined ? [] : [{ about: 'type', type: readFieldType(type) } as const]),
  ...(description === undefined ? [] : [{ about: 'description', text: description } as const]),
  ...(title === undefined ? [] : [{ about: 'title', text: title } as const]),
  ...(hints === 'off' ? [{ about: 'unhinted' } as const] : []),
];

/**
 * The field is set by the application for each call, whatever the model sends, and no model is shown it.
 * `key` is the application's name for the value; default: the field's own.
 */
export const FromContext =
  (key?: string): PropertyDecorator =>
  (...call: readonly unknown[]): void => {
    const target = targetOf('@FromContext', call);
    if (target.kind === 'field')
      declare('@FromContext', target, { about: 'context', key: key ?? target.member });
    else declareMisplaced('@FromContext', target, 'put it on a field');
  };

/** The field is an object of a class; the tool gets an instance of it. */
export const Nested = (classOf: () => ArgumentClass): PropertyDecorator =>
  fieldDecorator('@Nested', { about: 'type', type: readFieldType(classOf) });

/** Null is a value of this field. `@IsOptional()` alone says that it may be absent, not that it may be null. */
export const Nullable = (): PropertyDecorator => fieldDecorator('@Nullable', { about: 'nullable' });

/**
 * The field is one of several classes. `discriminator` is a field that is a constant in each of them:
 * `@Equals('insert') op!: 'insert'`.
 */
export const OneOf = (discriminator: string, classes: () => readonly ArgumentClass[]): PropertyDecorator =>
  fieldDecorator('@OneOf', { about: 'type', type: oneOf(discriminator, classes) });

/** When this field is sent and `partner` is not, `partner` becomes `value`, and the model is told. */
export const PairedDefault = (partner: string, value: JsonValue): PropertyDecorator =>
  fieldDecorator('@PairedDefault', { about: 'pair', partner, value });

/** Every text in the field is a file system path, so a markdown link is a mistake that can be mended. */
export const PathField = (): PropertyDecorator => fieldDecorator('@PathField', { about: 'path' });

/** The field is a map from text to one type: `@RecordOf(Number)`, `@RecordOf(() => Header)`. */
export const RecordOf = (values: FieldType): PropertyDecorator =>
  fieldDecorator('@RecordOf', { about: 'type', type: recordOf(values) });

/** The field's value never appears in a message, a record or a log. */
export const Secret = (): PropertyDecorator => fieldDecorator('@Secret', { about: 'secret' });

/** The field is a list of fixed length: `@TupleOf(Number, Number)`. */
export const TupleOf = (...items: readonly FieldType[]): PropertyDecorator =>
  fieldDecorator('@TupleOf', { about: 'type', type: tupleOf(...items) });

/** Every text in the field is taken as it is: repair never looks into it. */
export const Verbatim = (): PropertyDecorator => fieldDecorator('@Verbatim', { about: 'verbatim' });
