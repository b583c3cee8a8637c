// How is a type called in a complaint?
import type { ArgumentType } from './argument-type.ts';

/** "a list of text", "Edit", "one of 'a', 'b'". */
export function typeWords(type: ArgumentType): string {
  switch (type.kind) {
    case 'const':
      return `the constant ${JSON.stringify(type.value)}`;
    case 'enum':
      return `one of ${type.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'array':
      return type.items.kind === 'open' ? 'a list' : `a list of ${typeWords(type.items)}`;
    case 'record':
      return `a map of ${typeWords(type.values)}`;
    case 'tuple':
      return `a list of ${type.items.length} places`;
    case 'class':
      return type.Class.name;
    case 'oneOf':
      return type.Classes.map(({ name }) => name).join(' or ');
    case 'union':
      return type.members.map(typeWords).join(' or ');
    case 'nullable':
      return `${typeWords(type.type)} or null`;
    default:
      return scalarWords[type.kind];
  }
}

const scalarWords = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  date: 'a date',
  object: 'an object',
  open: 'anything',
  broken: 'unreadable',
} as const;
