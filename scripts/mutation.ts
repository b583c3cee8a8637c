// `npm run mutation -- decode`: which changes of a folder's sources does no test notice? Prints those, and the score.
// Takes many minutes; what hasn't changed since the last run is not tried again.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { mutationOptions } from './mutation/mutation-options.ts';
import { survivorsOf, tableOf, type MutationReport } from './mutation/report.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [folder = ''] = positionals;
if (positionals.length !== 1 || !existsSync(`src/${folder}`))
  throw new TypeError('npm run mutation -- FOLDER, a folder in src: decode, repair/rules');

const options = mutationOptions(folder);
await new Stryker(options).runMutationTest();
const report: MutationReport = JSON.parse(readFileSync(options.jsonReporter.fileName, 'utf8'));
for (const line of survivorsOf(report)) console.log(line);
console.log(tableOf(report, folder).join('\n'));
