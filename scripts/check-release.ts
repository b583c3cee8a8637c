// `npm publish` runs this first. Says everything that has to be done before a release.
import { readFileSync } from 'node:fs';
import { interpreterVersion } from '../src/tool/tool-contract.ts';
import { packageAddress } from './package-address.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const [, latest = 'nothing'] = /^## (.*)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
const date = /^\d{4}-\d{2}-\d{2}$/;
const [changelogVersion, changelogDate = ''] = latest.split(/ \(|\)/);

const tasks = [
  ...(packageAddress === '' ? ['Fill in the address in scripts/package-address.ts.'] : []),
  ...(changelogVersion === version
    ? []
    : [`CHANGELOG.md begins with ${changelogVersion}, and package.json says ${version}.`]),
  ...(date.test(changelogDate)
    ? []
    : [`CHANGELOG.md begins with "${latest}": write the date, as in "${version} (2026-12-01)".`]),
  ...(interpreterVersion === version
    ? []
    : [`src/tool/tool-contract.ts has the version ${interpreterVersion}, not ${version}.`]),
];
for (const task of tasks) console.error(task);
process.exitCode = tasks.length === 0 ? 0 : 1;
