// Throws if this Node is too old. Every entry of the built package imports it first, before
// anything an older Node can't run; so it imports nothing itself. `engines` in package.json has the
// same version.
const version: string | undefined = globalThis.process?.versions?.node;
const [major = 0, minor = 0] = version?.split('.').map(Number) ?? [];

// Runtimes without Node's version number, such as browsers and workers, are let through.
if (version !== undefined && (major < 22 || (major === 22 && minor < 12))) {
  throw new Error(`toolmend needs Node 22.12 or newer; this is ${version}.`);
}
