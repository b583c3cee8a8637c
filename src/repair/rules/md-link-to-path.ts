import { pathInLink } from '../../validate/strict-checks.ts';
import { type ValueRule, replaceWith } from '../repair-rule.ts';

export const mdLinkToPath: ValueRule = {
  id: 'md_link_to_path',
  level: 'value',
  answers: ['path'],
  keeps: 'lossless',
  isReading: true,
  propose: ({ value }) => replaceWith(pathInLink(value)),
};
