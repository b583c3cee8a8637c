// May null be sent for this field, as a value of its own?
import { fieldDecorator } from './field-decorator.ts';

/** Null is a value of this field. `@IsOptional()` alone says that it may be absent, not that it may be null. */
export const Nullable = (): PropertyDecorator => fieldDecorator('@Nullable', { about: 'nullable' });
