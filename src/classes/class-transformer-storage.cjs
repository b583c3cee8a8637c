// The storages of class-transformer's metadata, which class-transformer doesn't export. CommonJS, because `require` within `try` is
// the one import that is synchronous and optional in Node, in jest and in what bundlers make of it.
'use strict';

const storages = [];

try {
  storages.push(require('class-transformer/cjs/storage.js').defaultMetadataStorage);
} catch {
  // Not installed.
}

// Bundlers that prefer a package's field `module` give user code this build. Only Node has paths here, and it can't load the build.
if (!(module.paths?.length > 0)) {
  try {
    storages.push(require('class-transformer/esm5/storage.js').defaultMetadataStorage);
  } catch {
    // Not installed.
  }
}

module.exports = storages;
