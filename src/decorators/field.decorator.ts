// Which member is an argument, if no other decorator says so or class-validator has no word for its type?
import type { FieldFact } from '../metadata/declaration.ts';
import { declare, declareMisplaced, targetOf } from './decorator-target.ts';
import { readFieldType, type FieldType } from './field-type.ts';

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
