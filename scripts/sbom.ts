// `npm run sbom` prints the bill of materials of a release in CycloneDX: the package and all that
// `npm install toolmend` brings. `npm sbom --omit dev` in this folder would leave out dependencies
// that tools of the development need as well.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { name, version, description, license, dependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const folder = mkdtempSync(join(tmpdir(), 'toolmend-'));
const npm = (...parameters: readonly string[]): string =>
  execFileSync('npm', [...parameters, '--package-lock-only'], { cwd: folder, encoding: 'utf8' });
try {
  const manifest = { name, version, description, license, dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  npm('install', '--no-audit', '--no-fund');
  process.stdout.write(npm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'library'));
} finally {
  rmSync(folder, { recursive: true });
}
