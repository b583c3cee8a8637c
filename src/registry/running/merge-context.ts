// Which of the application's values has one call? Those of the registry, and before them those of the call itself.
import type { ApplicationContext } from '../../contract/tool-contract.ts';

/** Frozen, and without a prototype, so that no name is there that nobody set. */
export const contextValues = (given: ApplicationContext | undefined): ApplicationContext =>
  Object.freeze({ __proto__: null, ...given });

/** `all`: made by `contextValues`; they are the call's own where it brings none. */
export const mergeContext = (
  all: ApplicationContext,
  one: ApplicationContext | undefined,
): ApplicationContext => (one === undefined ? all : contextValues({ ...all, ...one }));
