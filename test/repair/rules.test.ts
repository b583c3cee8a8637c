// The tests of the rules, which are in rules/, run as one suite: to load the modules for each file
// would take longer than its tests. `npm test -- test/repair/rules -t drop_null` runs one table.
import { globSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'rules');
for (const file of globSync('*.ts', { cwd: folder }).toSorted()) await import(join(folder, file));
