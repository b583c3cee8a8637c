// Which form does each of class-validator's decorators have? One table, made of the files beside it.
import { commonForms } from './common-forms.ts';
import type { ConstraintForm } from './constraint-form.ts';
import { listForms } from './list-forms.ts';
import { numberForms } from './number-forms.ts';
import { textFormatForms } from './text-format-forms.ts';
import { textForms } from './text-forms.ts';

const forms: ReadonlyMap<string, ConstraintForm> = new Map(
  Object.entries({ ...commonForms, ...numberForms, ...listForms, ...textForms, ...textFormatForms }),
);

/** The form of a check by class-validator's name for it; undefined for an application's own. */
export const constraintForm = (name: string): ConstraintForm | undefined => forms.get(name);
