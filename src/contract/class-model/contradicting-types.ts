// Two decorators give a field two types: what did the author most likely mean? Mostly a list of the one, where one is a list.
import type { ArgumentType } from '../argument-types/argument-type.ts';

/** What one decorator says of the type. */
export interface Statement {
  readonly decorator: string;
  readonly type: ArgumentType;
  /** Whether it can be written for the elements of a list, with `{ each: true }`. */
  readonly each: 'can' | 'cannot';
}

/** What to write in place of two statements that contradict each other. */
export function insteadOf(one: Statement, other: Statement): string {
  const [list, element] = isList(one) ? [one, other] : [other, one];
  const neither = 'leave one of them out';
  if (!isList(list) || isList(element)) return neither;
  const written = elementWords(element.type);
  if (element.each === 'cannot') {
    return written === undefined ? neither : `write @ArrayOf(${written}) in place of both`;
  }
  const each = `${element.decorator}({ each: true }) for the elements`;
  // Beside a list whose elements are known, only their constraint is out of place.
  if (!isOpenList(list) || written === undefined) return `write ${each}, or ${neither}`;
  return `write @ArrayOf(${written}) in place of both, or beside it ${each}`;
}

const isList = ({ type: { kind } }: Statement): boolean => kind === 'array';

const isOpenList = ({ type }: Statement): boolean => type.kind === 'array' && type.items.kind === 'open';

/** How a type is written as an element; undefined where its being in a list is too unlikely. */
function elementWords(type: ArgumentType): string | undefined {
  switch (type.kind) {
    case 'class':
      return `() => ${type.Class.name}`;
    case 'enum':
      return 'enumOf(...)';
    case 'oneOf':
      return `oneOf('${type.discriminator}', () => [...])`;
    case 'object':
      return '() => Class';
    default:
      return scalarWords.get(type.kind);
  }
}

const scalarWords: ReadonlyMap<string, string> = new Map<ArgumentType['kind'], string>([
  ['string', 'String'],
  ['number', 'Number'],
  ['integer', 'integer'],
  ['boolean', 'Boolean'],
  ['date', 'Date'],
]);
