import { publicNames } from '../docs/source-reference.ts';
import type { RuleFacts } from './rule-listing.ts';

/** Rules with what the comments before them say. `folder`: of their files. */
export const describedRules = (
  folder: string,
  table: readonly Pick<RuleFacts, 'id' | 'keeps'>[],
): readonly RuleFacts[] =>
  table.map(({ id, keeps }) => {
    const file = `${folder}/${id.replaceAll('_', '-')}.ts`;
    const name = id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const docstring = publicNames(file).find((exported) => exported.name === name)?.docstring ?? '';
    const [, sends = '', becomes = '', notWhen = ''] =
      /^Models send (.*?)\. Becomes (.*?)\. Not when: (.*)\.$/.exec(docstring) ?? [];
    return { id, keeps, sends, becomes, notWhen };
  });
