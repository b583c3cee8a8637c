import type { UserConfig } from 'vite';

/** How the page is built, for the package and for a static site. */
export const shared: UserConfig = {
  root: import.meta.dirname,
  // The page may stand at any path of a service.
  base: './',
  logLevel: 'warn',
  build: {
    emptyOutDir: true,
    target: 'es2022',
    // A data URL in a style would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
};
