/** A fenced block of a Markdown document. */
export interface DocBlock {
  readonly language: string;
  readonly text: string;
  /** Of the opening fence, counted from 1. */
  readonly line: number;
  readonly origin: Origin;
}

/**
 * Written in a comment before the block: `<!-- examples/x.ts#region -->`,
 * `<!-- output of examples/x.ts -->`, `<!-- error -->` for an error message,
 * `<!-- commands of x, y -->` for programs that are not run.
 */
export type Origin =
  | { readonly kind: 'none' | 'error' }
  | { readonly kind: 'file'; readonly path: string; readonly region?: string }
  | { readonly kind: 'output'; readonly path: string }
  | { readonly kind: 'commands'; readonly programs: readonly string[] };

/** All fenced blocks, indented ones included. Throws if a block is never closed. */
export function readDocBlocks(document: string): readonly DocBlock[] {
  const lines = document.split('\n');
  const blocks: DocBlock[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    const [, indent, fence, language] = /^( *)(`{3,}|~{3,})(\w*)/.exec(lines[start] ?? '') ?? [];
    if (indent === undefined || fence === undefined) continue;
    const end = lines.findIndex((line, index) => index > start && line.trim() === fence);
    if (end === -1) throw new Error(`the block in line ${start + 1} is never closed`);
    const text = lines.slice(start + 1, end).map((line) => line.slice(indent.length));
    const before = lines.slice(0, start).findLast((line) => line.trim() !== '') ?? '';
    blocks.push({
      language: language ?? '',
      text: text.map((line) => `${line}\n`).join(''),
      line: start + 1,
      origin: originOf(before.trim()),
    });
    start = end;
  }
  return blocks;
}

function originOf(comment: string): Origin {
  if (comment === '<!-- error -->') return { kind: 'error' };
  const [, programs] = /^<!-- commands of (.+) -->$/.exec(comment) ?? [];
  if (programs !== undefined) return { kind: 'commands', programs: programs.split(', ') };
  const [, output, path, region] =
    /^<!-- (output of )?(examples\/[\w/-]+\.ts)(?:#([\w-]+))? -->$/.exec(comment) ?? [];
  if (path === undefined) return { kind: 'none' };
  if (output !== undefined) return { kind: 'output', path };
  return region === undefined ? { kind: 'file', path } : { kind: 'file', path, region };
}

/**
 * The part of a file between `// #region name` and the next `// #endregion`; undefined if the file
 * has no such region.
 */
export function regionOf(text: string, name: string): string | undefined {
  const lines = text.split('\n');
  const start = lines.indexOf(`// #region ${name}`);
  const end = lines.indexOf('// #endregion', start);
  return start === -1 || end === -1 ? undefined : `${lines.slice(start + 1, end).join('\n')}\n`;
}
