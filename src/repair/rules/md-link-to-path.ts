import { pathInMarkup } from '../../validate/strict-checks.ts';
import { type ValueRule, replaceWith } from '../repair-rule.ts';

/**
 * Models send a path that is one whole markdown link, whose text is the address without protocol,
 * or whose address ends in a slash and the text; a declared path in backticks.
 * Becomes the text.
 * Not when: other text; other fields; markup that the schema asks for (a member, a pattern); if only
 * the field’s name says that it is a path, backticks, and any markup in an object of which the
 * schema writes that it is open.
 */
export const mdLinkToPath: ValueRule = {
  id: 'md_link_to_path',
  level: 'value',
  answers: ['path'],
  keeps: 'lossless',
  isReading: true,
  propose: ({ value, view }) => replaceWith(pathInMarkup(value, view)),
};
