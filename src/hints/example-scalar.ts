// Which text or number would do at a place? The plainest one within its format, pattern and bounds.
import { patternExamples } from '../contract/patterns/pattern-example.ts';
import type { SchemaObject } from '../json/json-schema.ts';

/** Characters of a text without a form of its own, where its bounds don't say otherwise. */
const usualLength = 7;
const longestText = 400;

/** undefined where none can be made. `semantic`: what the text stands for, as `path`. */
export function exampleText(facts: SchemaObject, semantic: string | undefined): string | undefined {
  const { format, pattern } = facts;
  const least = numberOf(facts, 'minLength') ?? 0;
  const most = numberOf(facts, 'maxLength') ?? longestText;
  const formatted = formatExample(format ?? '');
  if (formatted !== undefined) return formatted;
  if (typeof pattern === 'string')
    return patternExamples(pattern).find((text) => text.length >= least && text.length <= most);
  const usual = semantic === 'path' ? 'src/index.ts' : '…';
  if (usual.length >= least && usual.length <= most) return usual;
  if (least > longestText) return undefined;
  return 'example text '
    .repeat(longestText / usualLength)
    .slice(0, Math.min(Math.max(least, usualLength), most));
}

/** A text in a format, where it is one that is known here. */
export const formatExample = (format: string): string | undefined => texts.get(format);

/** 1, where that is within the bounds; else the number next to it. */
export function exampleNumber(facts: SchemaObject, kind: 'integer' | 'number'): number {
  const step = numberOf(facts, 'multipleOf') ?? 1;
  const above = numberOf(facts, 'exclusiveMinimum');
  const below = numberOf(facts, 'exclusiveMaximum');
  const least = Math.max(
    numberOf(facts, 'minimum') ?? -Infinity,
    above === undefined ? -Infinity : above + step,
  );
  const most = Math.min(
    numberOf(facts, 'maximum') ?? Infinity,
    below === undefined ? Infinity : below - step,
  );
  if (kind === 'number' && least > most && above !== undefined) return (above + (below ?? most)) / 2;
  const near = Math.min(Math.max(1, least), most);
  if (kind === 'number' && facts['multipleOf'] === undefined) return near;
  return (near === most ? Math.floor(near / step) : Math.ceil(near / step)) * step;
}

function numberOf(facts: SchemaObject, keyword: string): number | undefined {
  const value = facts[keyword];
  return typeof value === 'number' ? value : undefined;
}

const texts: ReadonlyMap<string, string> = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T12:00:00Z'],
  ['time', '12:00:00Z'],
  ['duration', 'PT15M'],
  ['email', 'ada@example.com'],
  ['uri', 'https://example.com/'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['hostname', 'example.com'],
]);
