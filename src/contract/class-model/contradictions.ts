// Do the constraints of one field leave no value at all? Then no call could ever be right, and every message would be wrong.
import type { SchemaObject } from '../../json/json-schema.ts';
import type { Constraint } from '../../metadata/constraint.ts';
import type { Complain } from '../complaint-book.ts';

/** A constraint with the keywords that say the same. */
export interface KeywordedConstraint {
  readonly constraint: Constraint;
  readonly keywords: SchemaObject;
}

/** Looks at bounds and lists of values; what patterns or checks of their own leave is not looked for. */
export function complainOfContradictions(said: readonly KeywordedConstraint[], complain: Complain): void {
  for (const reach of ['value', 'items'] as const) {
    const ofReach = said.filter(({ constraint }) => constraint.reach === reach);
    for (const { keywords, constraint } of ofReach) {
      if (keywords.enum?.length === 0)
        complain(`has ${written(constraint)}, which no value meets`, 'name the values');
    }
    for (const [low, high] of bounds) complainOfBounds(ofReach, low, high, complain);
  }
}

const bounds: readonly (readonly [low: readonly string[], high: readonly string[]])[] = [
  [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ],
  [['minLength'], ['maxLength']],
  [['minItems'], ['maxItems']],
];

function complainOfBounds(
  said: readonly KeywordedConstraint[],
  low: readonly string[],
  high: readonly string[],
  complain: Complain,
): void {
  for (const least of said.flatMap((one) => boundsOf(one, low))) {
    for (const most of said.flatMap((one) => boundsOf(one, high))) {
      const isOpen =
        least.value < most.value || (least.value === most.value && !least.excludes && !most.excludes);
      if (isOpen) continue;
      const names = [...new Set([written(least.constraint), written(most.constraint)])].join(' and ');
      complain(`has ${names}, which no value meets`, 'write a lower bound that is not above the upper one');
    }
  }
}

interface Bound {
  readonly constraint: Constraint;
  readonly value: number;
  readonly excludes: boolean;
}

const boundsOf = (
  { constraint, keywords }: KeywordedConstraint,
  names: readonly string[],
): readonly Bound[] =>
  names.flatMap((name) => {
    const value = keywords[name];
    return typeof value === 'number' ? [{ constraint, value, excludes: name.startsWith('exclusive') }] : [];
  });

/** `@Min(5)`, as in the source. */
const written = ({ decorator, parameters }: Constraint): string =>
  `${decorator}(${parameters.flatMap((parameter) => JSON.stringify(parameter) ?? []).join(', ')})`;
