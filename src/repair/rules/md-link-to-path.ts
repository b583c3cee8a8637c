import { pathInLink } from '../../validate/strict-checks.ts';
import { type ValueRule, replaceWith, skip } from '../repair-rule.ts';

export const mdLinkToPath: ValueRule = {
  id: 'md_link_to_path',
  level: 'value',
  answers: ['path'],
  sent: ['string'],
  keeps: 'lossless',
  isReading: true,
  propose({ value }) {
    const path = typeof value === 'string' ? pathInLink(value) : undefined;
    return path === undefined ? skip : replaceWith(path);
  },
};
