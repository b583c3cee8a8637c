// By which constants is a class told apart from the others in a union?
import type { EnumMember } from '../../metadata/declared-type.ts';
import type { ClassModel } from './class-model.ts';

/** The constants of the discriminating field; empty: the class has none that must be sent. */
export function discriminatorValues(
  model: ClassModel | undefined,
  discriminator: string,
): readonly EnumMember[] {
  const field = model?.fields.find(({ name }) => name === discriminator);
  if (field?.presence !== 'required') return [];
  if (field.type.kind === 'const') return [field.type.value];
  return field.type.kind === 'enum' ? field.type.values : [];
}
