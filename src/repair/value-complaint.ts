// What is wrong with a value that doesn't fit, as far as rules are chosen by it?
import type { SchemaView } from '../contract/schema-view.ts';
import { jsonTypeOf, type JsonValue } from '../json/json-value.ts';
import { pathInLink } from '../json/markdown-link.ts';
import type { ValueComplaint } from './repair-rule.ts';

/** What is declared for the place, and whether the number there has lost digits. */
interface Declared {
  readonly view: SchemaView;
  readonly isPath: boolean;
  readonly isInexact: boolean;
}

/** A number that lost digits has the wrong type: as a number it can't be kept. */
export function complaintAbout(value: JsonValue, { view, isPath, isInexact }: Declared): ValueComplaint {
  if (!view.types.has(jsonTypeOf(value)) || isInexact) return 'type';
  return isPath && typeof value === 'string' && pathInLink(value) !== undefined ? 'path' : 'value';
}
