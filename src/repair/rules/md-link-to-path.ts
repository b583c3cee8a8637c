// Chat front ends and models turn file names into links. Leaves alone: links whose text says something else than
// their address, text around a link, other fields.
import { pathInLink } from '../../json/markdown-link.ts';
import { type ValueRule, replaceBy, silent } from '../repair-rule.ts';

export const mdLinkToPath: ValueRule = {
  id: 'md_link_to_path',
  level: 'value',
  answers: ['path'],
  keeps: 'lossless',
  sends:
    'a path that is one whole markdown link, whose text is the address without protocol, or whose address ends in a slash and the text',
  becomes: 'the text',
  notWhen: 'other text; other fields',
  propose({ value }) {
    const path = typeof value === 'string' ? pathInLink(value) : undefined;
    return path === undefined ? silent : replaceBy(path);
  },
};
