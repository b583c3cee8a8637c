import { isOfKind } from '../../validate/value-kinds.ts';
import { type ValueRule, refuse, replaceWith, skip } from '../repair-rule.ts';

/**
 * Models send an address in Markdown or in other marks instead of the address alone: a link, angle
 * brackets, quotes, emphasis; with punctuation after the marks, and blanks around them.
 * Becomes the address.
 * Not when: other text beside it; a link whose text is another address; an address without its
 * protocol.
 */
export const urlInMarkup: ValueRule = {
  id: 'url_in_markup',
  level: 'value',
  answers: ['value'],
  kind: 'url',
  sentTypes: ['string'],
  keeps: 'lossless',
  propose({ value }) {
    if (typeof value !== 'string') return skip;
    const text = value.trim();
    const [, title, address] = link.exec(text) ?? [];
    if (title === undefined || address === undefined) {
      const inner = marks.map((mark) => mark.exec(text)?.[1]).find((one) => one !== undefined);
      const bare = inner ?? text;
      return isOfKind('url', bare) ? replaceWith(bare) : skip;
    }
    if (!isOfKind('url', address)) return skip;
    const isSame = withoutProtocol(title) === withoutProtocol(address);
    // Another address in the text may be the one that is meant.
    if (!isSame && /^\s*(?:[a-z][a-z\d+.-]*:\/\/|www\.)\S+\s*$/i.test(title)) return refuse;
    return isSame ? replaceWith(address) : { kind: 'replace', value: address, isLossy: true };
  },
};

/** An address may have parentheses in it, in pairs. */
const link =
  /^!?\[([^[\]]*)\]\(\s*<?((?:[^\s()<>]|\([^\s()<>]*\))+)>?(?:\s+"[^"]*")?\s*\)[.,;:!?]*$/;

const marks: readonly RegExp[] = [
  /^<([^<>]+)>[.,;:!?]*$/,
  /^\(([^()]+)\)[.,;:!?]*$/,
  /^"([^"]+)"[.,;:!?]*$/,
  /^'([^']+)'[.,;:!?]*$/,
  /^`([^`]+)`[.,;:!?]*$/,
  /^\*\*([^*]+)\*\*[.,;:!?]*$/,
];

const withoutProtocol = (address: string): string =>
  address
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .replace(/\/$/, '');
