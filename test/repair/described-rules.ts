import { interfaceOptions } from '../docs/source-reference.ts';
import type { RuleFacts } from './rule-listing.ts';

const described = new Map(
  interfaceOptions('src/tool/rule-choice.ts', 'RuleChoice').map(({ name, docstring }) => [
    name,
    docstring,
  ]),
);

/** Rules with what the docstrings of their ids say. */
export const describedRules = (
  table: readonly Pick<RuleFacts, 'id' | 'keeps'>[],
): readonly RuleFacts[] =>
  table.map(({ id, keeps }) => {
    const [, sends = '', becomes = '', notWhen = ''] =
      /^Models send (.*?)\. Becomes (.*?)\. Not when: (.*)\.$/.exec(described.get(id) ?? '') ?? [];
    return { id, keeps, sends, becomes, notWhen };
  });
