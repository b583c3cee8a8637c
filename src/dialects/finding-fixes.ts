// What is to be done about a finding? One sentence for each rule.
import type { ChangeRule } from './normal-form/schema-change.ts';

export type FindingRule = ChangeRule | 'limit' | 'same-name' | 'set-limit' | 'tool-name';

const none = 'nothing to do: toolmend shows it so, and reads the answer back';

const fixes: Readonly<Record<FindingRule, string>> = {
  'any-value': none,
  closed: 'declare the keys, or use a dialect that is not strict for this tool',
  description: 'shorten the constraints at this place, or leave some of them out',
  limit: 'split the tool, or use a dialect that is not strict for it',
  map: none,
  misused: 'write under the keyword what JSON Schema takes there',
  optional: none,
  'property-key': none,
  recursion: none,
  reference: 'write the schema into the tool, under $defs',
  root: none,
  'same-name': 'give one of them another name, or a prefix',
  'set-limit': 'offer fewer tools at once, or show some of them in the dialect that is not strict',
  'tool-name': none,
  'too-large': 'write a smaller schema',
  tuple: none,
  union: none,
};

/** What is only shown in another form needs nothing. */
export const fixOf = (rule: FindingRule, level: 'refused' | 'lost' | 'adapted'): string =>
  level === 'adapted' ? none : fixes[rule];
