// `npm run layers`: prints every breach of the architecture and fails if there is one.
import { checkArchitecture } from './architecture/check-architecture.ts';

const { files, edges, violations } = checkArchitecture(process.cwd());
for (const { law, where, what } of violations) console.error(`src/${where}: ${what} [${law}]`);
console.log(`layers: ${files} files and ${edges} imports read, ${violations.length} violations`);
if (violations.length > 0) process.exitCode = 1;
