// Which seed do property tests have? The same in every run, so that a commit passes its tests or doesn't.
// `SEED=7 npm test` takes another one, `SEED=random npm test` a new one; `npm run laws` and `npm run fuzz` search on.
import { configureGlobal } from 'fast-check';

const asked = process.env['SEED'] ?? '20261121';

export const propertySeed = asked === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(asked);
if (!Number.isInteger(propertySeed)) throw new TypeError(`SEED=${asked}: give a whole number or random`);

configureGlobal({ seed: propertySeed });

export * as fc from 'fast-check';
