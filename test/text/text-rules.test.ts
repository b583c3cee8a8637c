// The tests of the text rules, which are in text-rules/, run as one suite: to load the modules for
// each file would take longer than its tests. `npm test -- test/text/text-rules -t code_fence` runs
// one table.
import { globSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'text-rules');
for (const file of globSync('*.ts', { cwd: folder }).toSorted()) await import(join(folder, file));
