import { defineConfig, mergeConfig } from 'vite';
import { shared } from './shared.config.ts';

/**
 * Builds the view Try alone, for any static site:
 * `vite build page --config page/try.config.ts --outDir FOLDER`.
 */
export default mergeConfig(
  shared,
  defineConfig({
    plugins: [
      {
        name: 'try-alone',
        transformIndexHtml: {
          order: 'pre',
          handler: (html) => html.replace('./main.ts', './try-main.ts'),
        },
      },
    ],
    build: { outDir: '../dist-try' },
  }),
);
