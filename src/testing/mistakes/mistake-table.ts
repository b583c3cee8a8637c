// Which mistakes are there? Those at one place, those of the call as a whole, and those of its text.
import { containerMistakes } from './container-mistakes.ts';
import { keyMistakes } from './key-mistakes.ts';
import type { Mistake } from './mistake.ts';
import { scalarMistakes } from './scalar-mistakes.ts';
import { textMistakes } from './text-mistakes.ts';

export const placeMistakes: readonly Mistake[] = [...scalarMistakes, ...containerMistakes, ...keyMistakes];

/** The call around its own arguments. */
export const envelopeKind = 'envelope';

/** Every kind of mistake, for choosing among them. */
export const mistakeKinds: readonly string[] = [
  ...placeMistakes.map(({ kind }) => kind),
  envelopeKind,
  ...textMistakes.map(({ kind }) => kind),
];
