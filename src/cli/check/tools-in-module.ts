// Which tools does a compiled module export? Those of its registries; in a module without one, classes and definitions.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Constructor, ToolContract } from '../../contract/tool-contract.ts';
import { DefinitionError } from '../../errors/definition-error.ts';
import { readDeclaredClass } from '../../metadata/declared-class.ts';
import { contractsOf } from '../../registry/contract-of.ts';
import type { NothingToCheck, ToolsToCheck } from './tools-to-check.ts';

/** Runs the module. Nothing else of it is called. */
export function toolsInModule(file: string): ToolsToCheck | NothingToCheck {
  const shown = JSON.stringify(file);
  const loaded = load(file);
  if ('error' in loaded) return { refused: `${shown} can't be loaded: ${firstLine(loaded.error)}` };
  const exported = exportsOf(loaded.module);
  const registries = exported.filter((value) => isRegistry(value));
  const contracts = registries.flatMap((registry) => registry.contracts());
  if (registries.length > 0) return { contracts, broken: [] };
  const found = exported.map(toolsOf);
  return found.every((tools) => tools === undefined)
    ? { refused: `${shown} exports no registry, no tool class and nothing that defineTool made` }
    : {
        contracts: [...new Set(found.flatMap((tools) => tools?.contracts ?? []))],
        broken: [...new Set(found.flatMap((tools) => tools?.broken ?? []))],
      };
}

type Loaded = { readonly module: unknown } | { readonly error: unknown };

function load(file: string): Loaded {
  try {
    return { module: createRequire(import.meta.url)(resolve(file)) };
  } catch (error) {
    return { error };
  }
}

function firstLine(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return error instanceof Error && Reflect.get(error, 'code') === 'ERR_REQUIRE_ASYNC_MODULE'
    ? 'it awaits at its top level; export the tools from a module that doesn’t'
    : (said.split('\n')[0] ?? said);
}

/** With the elements of lists. */
function exportsOf(module: unknown): readonly unknown[] {
  if (typeof module !== 'object' || module === null) return [module];
  return Object.values(module).flatMap((value: unknown): readonly unknown[] =>
    Array.isArray(value) ? value : [value],
  );
}

interface Registry {
  contracts(): readonly ToolContract[];
}

/** By any installed copy of toolmend. */
const isRegistry = (value: unknown): value is Registry =>
  isObject(value) && typeof Reflect.get(value, 'contracts') === 'function' && 'schemas' in value;

const isContract = (value: unknown): value is ToolContract =>
  isObject(value) && ['name', 'inputSchema', 'binding', 'repair'].every((key) => Object.hasOwn(value, key));

/** undefined for what has nothing to do with tools. */
function toolsOf(value: unknown): ToolsToCheck | undefined {
  if (isContract(value)) return { contracts: [value], broken: [] };
  if (!isClass(value) || !saysTool(value)) return undefined;
  try {
    return { contracts: contractsOf(value), broken: [] };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return { contracts: [], broken: [error.message] };
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isClass = (value: unknown): value is Constructor =>
  typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;

function saysTool(Class: Constructor): boolean {
  const { own, methods } = readDeclaredClass(Class);
  return own.some(({ fact }) => fact.about === 'tool') || methods.some(({ fact }) => fact.about === 'method');
}
