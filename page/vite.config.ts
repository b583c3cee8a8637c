import { defineConfig } from 'vite';

/** Builds the page into the package: `toolmend ui` needs no bundler. */
export default defineConfig({
  root: import.meta.dirname,
  // The page may stand at any path of a service.
  base: './',
  logLevel: 'warn',
  build: {
    outDir: '../dist/page-files',
    emptyOutDir: true,
    target: 'es2022',
    // A data URL in a style would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
