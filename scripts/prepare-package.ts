// `npm pack` and `npm publish` run this before they pack, and with `--restore` afterwards: packed are
// a package.json with the project's address, and a README and an llms.txt whose links work anywhere.
// Without an address all are packed as they are.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { packageAddress } from './package-address.ts';

const originals = '.packing';
const pages = ['README.md', 'llms.txt'];
const files = ['package.json', ...pages];

if (existsSync(originals)) {
  for (const file of files) copyFileSync(`${originals}/${file}`, file);
  rmSync(originals, { recursive: true });
}

if (!process.argv.includes('--restore') && packageAddress !== '') {
  mkdirSync(originals);
  for (const file of files) copyFileSync(file, `${originals}/${file}`);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const addresses = {
    repository: { type: 'git', url: `git+${packageAddress}.git` },
    homepage: `${packageAddress}#readme`,
    bugs: { url: `${packageAddress}/issues` },
  };
  writeFileSync('package.json', `${JSON.stringify({ ...manifest, ...addresses }, null, 2)}\n`);
  const source = `${packageAddress}/blob/v${manifest.version}/`;
  for (const page of pages) {
    const text = readFileSync(page, 'utf8');
    writeFileSync(page, text.replace(/\]\((?![a-z]+:|#)(?:\.\/)?/g, `](${source}`));
  }
}
