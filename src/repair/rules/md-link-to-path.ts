import { pathInLink } from '../../validate/strict-checks.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const mdLinkToPath: ValueRule = {
  id: 'md_link_to_path',
  level: 'value',
  answers: ['path'],
  sent: ['string'],
  keeps: 'lossless',
  sends:
    'a path that is one whole markdown link, whose text is the address without protocol, or whose address ends in a slash and the text',
  becomes: 'the text',
  notWhen: 'other text; other fields',
  isReading: true,
  propose({ value }) {
    const path = typeof value === 'string' ? pathInLink(value) : undefined;
    return path === undefined ? skip : replaceWith(path);
  },
};
