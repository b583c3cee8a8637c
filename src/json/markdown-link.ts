const wholeLink = /^\[([^[\]]+)\]\(([^()\s]+)\)$/;

/** False is certain: a link starts with its bracket, but for blanks. */
export function mayBeLink(text: string): boolean {
  const first = text.charCodeAt(0);
  const isVisibleAscii = first > 32 && first < 127;
  // One character is looked for several times as fast as two.
  return isVisibleAscii ? first === openBracket && text.includes(']') : text.includes(']');
}

const openBracket = 91;

/**
 * The path inside a text that is one link and nothing else, if the link says no more than the path: its
 * text is the address without protocol, or the address ends in a slash and the text. Else undefined.
 */
export function pathInLink(text: string): string | undefined {
  if (!mayBeLink(text)) return undefined;
  const [, path, address] = wholeLink.exec(text.trim()) ?? [];
  if (path === undefined || address === undefined) return undefined;
  const bare = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  return path === bare || address.endsWith(`/${path}`) ? path : undefined;
}
