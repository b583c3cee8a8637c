// How is a long text cut into parts? At line ends where there are some, and never inside a character.

/** Parts of at most so many characters that make the text again when they are put together. */
export function pagesOf(text: string, longest: number): readonly string[] {
  const pages: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfPage(text, start, longest);
    pages.push(text.slice(start, end));
    start = end;
  }
  return pages;
}

function endOfPage(text: string, start: number, longest: number): number {
  const end = start + longest;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  if (line > start + longest * earliestLine) return line;
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

/** A page that ends with a line is at least so full. */
const earliestLine = 0.75;

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
