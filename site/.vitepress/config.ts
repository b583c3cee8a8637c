// The site: README, docs/ and suite/ as they are. `npm run site` builds it.
import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { packageAddress } from '../../scripts/package-address.ts';
import { charts } from './charts.ts';
import { siteLinks } from './site-links.ts';
import { slugOf } from './slug.ts';

const root = new URL('../../', import.meta.url);
const { version, description } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const shownFolders = new Set(['docs', 'suite']);
const listOfPages = readFileSync(new URL('docs/README.md', root), 'utf8');
const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(new URL('page/icon.svg', root), 'utf8'))}`;

export default defineConfig({
  title: 'toolmend',
  description,
  head: [['link', { rel: 'icon', href: icon }]],
  srcDir: '..',
  outDir: '../dist-site',
  cacheDir: '../node_modules/.vitepress',
  srcExclude: folders.filter(({ name }) => !shownFolders.has(name)).map(({ name }) => `${name}/**`),
  rewrites: { 'README.md': 'index.md' },
  ignoreDeadLinks: [/\/try\//],
  markdown: {
    // VitePress's own themes leave comments and keywords below a contrast of 4.5.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    anchor: { slugify: slugOf },
    config: (markdown) => {
      siteLinks(markdown, packageAddress);
      charts(markdown);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/docs/guide/getting-started' },
      { text: 'API', link: '/docs/reference/exports' },
      { text: 'Accuracy', link: '/suite/RESULTS' },
      { text: 'Try', link: '/try/index.html', target: '_self' },
      {
        text: `v${version}`,
        items: [
          { text: 'Changelog', link: '/CHANGELOG' },
          { text: 'Stability', link: '/docs/reference/stability' },
        ],
      },
    ],
    sidebar: [
      { text: 'Overview', link: '/' },
      { text: 'All pages', link: '/docs/README' },
      section('Guide', 'docs/guide'),
      section('Reference', 'docs/reference'),
      section('Internals', 'docs/internals'),
      {
        text: 'Near-miss suite',
        items: [
          { text: 'The suite', link: '/suite/README' },
          { text: 'Results', link: '/suite/RESULTS' },
        ],
      },
      { text: 'Contributing', link: '/CONTRIBUTING' },
    ],
  },
});

/** The pages of a folder, under their titles, in the order in which docs/README.md lists them. */
function section(text: string, folder: string): DefaultTheme.SidebarItem {
  const position = (name: string): number =>
    listOfPages.indexOf(`(${folder.replace('docs/', '')}/${name})`);
  const pages = readdirSync(new URL(folder, root)).filter((name) => name.endsWith('.md'));
  const items = pages
    .toSorted((a, b) => position(a) - position(b))
    .map((name) => {
      const [, title = name] =
        /^# (.*)$/m.exec(readFileSync(new URL(`${folder}/${name}`, root), 'utf8')) ?? [];
      return { text: title, link: `/${folder}/${basename(name, '.md')}` };
    });
  return { text, items, collapsed: false };
}
