// Links of the pages lead to files of the repository. Pages of the site stay links; other files lead
// to the repository if its address is known, and are plain text else.
import type { MarkdownRenderer } from 'vitepress';

const isPage = (path: string): boolean =>
  path.endsWith('.md') && !/(?:^|\/)(?:skills|src|bench|examples)\//.test(path);

export function siteLinks(markdown: MarkdownRenderer, address: string): void {
  markdown.core.ruler.push('site-links', ({ tokens, env }) => {
    const folder: string = String(env.relativePath ?? '').replace(/[^/]*$/, '');
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        if (token.type !== 'link_open') continue;
        const href = token.attrGet('href') ?? '';
        if (/^(?:[a-z]+:|#)/.test(href)) continue;
        const [path = '', anchor] = href.split('#');
        const target = new URL(path, `file:///${folder}`).pathname.slice(1);
        const hash = anchor === undefined ? '' : `#${anchor}`;
        if (target === 'README.md') token.attrSet('href', `/${hash}`);
        else if (!isPage(target))
          leadTo(token, address === '' ? '' : `${address}/blob/main/${target}`);
      }
    }
  });
}

/** A link without `href` is text, for readers and for the check of dead links. */
function leadTo(
  token: { attrs: [string, string][] | null; attrSet(name: string, value: string): void },
  href: string,
): void {
  if (href === '') token.attrs = [];
  else token.attrSet('href', href);
}
