import { pathInMarkup } from '../../validate/strict-checks.ts';
import { type ValueRule, replaceWith } from '../repair-rule.ts';

/**
 * Models send a path that is one whole markdown link, whose text is the address without protocol,
 * or whose address ends in a slash and the text; a declared path in backticks.
 * Becomes the text.
 * Not when: other text; other fields; backticks if only the field’s name says that it is a path.
 */
export const mdLinkToPath: ValueRule = {
  id: 'md_link_to_path',
  level: 'value',
  answers: ['path'],
  keeps: 'lossless',
  isReading: true,
  propose: ({ value, view }) => replaceWith(pathInMarkup(value, view)),
};
