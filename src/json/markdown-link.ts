const wholeLink = /^\[([^[\]]+)\]\(([^()\s]+)\)$/;

/** A quick test: false is certain, true is not. */
export function mayBeLink(text: string): boolean {
  const first = text.charCodeAt(0);
  const isVisibleAscii = first > 32 && first < 127;
  // To search for one character is several times as fast as for two.
  return isVisibleAscii ? first === openBracket && text.includes(']') : text.includes(']');
}

const openBracket = 91;

/**
 * The path in a text that is one Markdown link and nothing else, if the link text is the address without its protocol, or the
 * address ends in a slash and the link text; else undefined.
 */
export function pathInLink(text: string): string | undefined {
  if (!mayBeLink(text)) return undefined;
  const [, path, address] = wholeLink.exec(text.trim()) ?? [];
  if (path === undefined || address === undefined) return undefined;
  const bare = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  return path === bare || address.endsWith(`/${path}`) ? path : undefined;
}
