// The links of built pages that lead to no page or to no anchor.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function brokenLinks(folder: string, base: string): readonly string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.html') && !path.startsWith('try/') && path !== '404.html',
  );
  const anchors = new Map(
    pages.map((path) => {
      const html = readFileSync(join(folder, path), 'utf8');
      return [
        path,
        new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id)),
      ] as const;
    }),
  );
  return pages.flatMap((page) => {
    const html = readFileSync(join(folder, page), 'utf8');
    const hrefs = new Set(
      Array.from(html.matchAll(/<a [^>]*?href="([^"]*)"/g), ([, href = '']) => href),
    );
    return [...hrefs]
      .filter((href) => !/^[a-z]+:/.test(href))
      .filter((href) => !leadsSomewhere(href, page))
      .map((href) => `${page}: ${href}`);
  });

  function leadsSomewhere(href: string, page: string): boolean {
    const { pathname, hash } = new URL(href, `http://site${base}${page}`);
    const path = decodeURIComponent(pathname).slice(base.length);
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const ids = anchors.get(file);
    if (ids === undefined) return existsSync(join(folder, file));
    return hash === '' || ids.has(decodeURIComponent(hash.slice(1)));
  }
}
