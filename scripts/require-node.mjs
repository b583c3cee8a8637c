// Is this Node new enough? Plain JavaScript without imports, so that every Node can read it and say so.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 12)) {
  console.error(
    `toolmend needs Node 22.12 or newer and this is ${process.versions.node}: ` +
      'run `npm ci` without --ignore-scripts, which puts the right one into node_modules.',
  );
  process.exit(1);
}
