// Fails if this Node is too old. Plain JavaScript without imports, which every Node can read.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 12)) {
  console.error(
    `toolmend needs Node 22.12 or newer and this is ${process.versions.node}: ` +
      'run `npm ci` without --ignore-scripts, which puts the right one into node_modules.',
  );
  process.exit(1);
}
