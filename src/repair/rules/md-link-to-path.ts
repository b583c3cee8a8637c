import { pathInLink } from '../../validate/strict-checks.ts';
import { type ValueRule, replaceWith } from '../repair-rule.ts';

/**
 * Models send a path that is one whole markdown link, whose text is the address without protocol,
 * or whose address ends in a slash and the text.
 * Becomes the text.
 * Not when: other text; other fields.
 */
export const mdLinkToPath: ValueRule = {
  id: 'md_link_to_path',
  level: 'value',
  answers: ['path'],
  keeps: 'lossless',
  isReading: true,
  propose: ({ value }) => replaceWith(pathInLink(value)),
};
