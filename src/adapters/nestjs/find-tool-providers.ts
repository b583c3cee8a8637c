// Which providers of an application are tools? Every provider of every module is looked at; aliases are their originals.
import type { Type } from '@nestjs/common';
import { type DiscoveryService, ModuleRef, Reflector } from '@nestjs/core';
import { parameterCount } from '../../contract/construction.ts';
import type { Complaint } from '../../errors/definition-error.ts';
import { type DeclaredClass, readDeclaredClass } from '../../metadata/declared-class.ts';
import { FunctionTools, type ProviderWrapper, type ToolProvider } from './tool-provider.ts';

export interface FoundTools {
  readonly providers: readonly ToolProvider[];
  readonly complaints: readonly Complaint[];
}

/** Those that can be known by now: what a factory makes for a token that is no class is known once it has been made. */
export function findToolProviders(discovery: DiscoveryService): FoundTools {
  const providers = discovery.getProviders().flatMap(toolProvider);
  const first = new Map<Type<object>, ToolProvider>();
  const complaints: Complaint[] = discovery.getControllers().flatMap(controllerComplaints);
  for (const provider of providers) {
    const { Class, moduleName } = provider;
    const other = first.get(Class);
    if (other === undefined) {
      first.set(Class, provider);
      complaints.push(...providerComplaints(provider));
      continue;
    }
    const what = `is provided by ${other.moduleName} and by ${moduleName}`;
    complaints.push({ where: Class.name, what, instead: 'provide it in one module, and export it there' });
  }
  return { providers: [...first.values()], complaints };
}

function toolProvider(wrapper: ProviderWrapper): readonly ToolProvider[] {
  const { host } = wrapper;
  const Class = wrapper.isAlias ? undefined : classOf(wrapper);
  const kind = Class === undefined ? 'none' : kindOf(readDeclaredClass(Class));
  if (host === undefined || Class === undefined) return [];
  if (kind === 'none' && Class !== FunctionTools) return [];
  const moduleRef: unknown = host.getProviderByKey(ModuleRef).instance;
  if (!(moduleRef instanceof ModuleRef)) return [];
  return [{ Class, wrapper, moduleRef, moduleName: host.name, kind }];
}

/** The class of what a provider gives: its own, or that of its value, or the one that it is provided as. */
function classOf(wrapper: ProviderWrapper): Type<object> | undefined {
  const { metatype, token } = wrapper;
  if (!wrapper.isNotMetatype) return isClass(metatype) ? metatype : undefined;
  const instance: unknown = wrapper.instance;
  const Class: unknown = typeof instance === 'object' && instance !== null ? instance.constructor : token;
  return isClass(Class) ? Class : undefined;
}

const isClass = (value: unknown): value is Type<object> =>
  typeof value === 'function' && Object.hasOwn(value, 'prototype') && value !== Object;

/** What stands in the wrong place counts too: whoever reads the class complains of it. */
function kindOf({ own, methods, misplaced }: DeclaredClass): ToolProvider['kind'] {
  if (own.some(({ fact }) => fact.about === 'tool')) return 'class';
  return misplaced.length > 0 || methods.some(({ fact }) => fact.about === 'method') ? 'methods' : 'none';
}

function providerComplaints({ Class, wrapper, kind }: ToolProvider): readonly Complaint[] {
  if (!wrapper.isNotMetatype) return injectionComplaints(Class);
  if (kind !== 'class') return [];
  return [
    {
      where: Class.name,
      what: 'is a @Tool, which gets a new instance for each call, and is provided as a value or by a factory',
      instead: 'list the class itself in providers, or write @ToolMethod on a method of a service',
    },
  ];
}

function controllerComplaints(wrapper: ProviderWrapper): readonly Complaint[] {
  const Class = classOf(wrapper);
  if (Class === undefined || kindOf(readDeclaredClass(Class)) === 'none') return [];
  return [
    {
      where: Class.name,
      what: 'is a controller and has a tool',
      instead: 'move the tool to a provider that the controller calls',
    },
  ];
}

const reflector = new Reflector();

/**
 * Nest injects undefined in silence for a parameter of which it knows nothing; what it complains of itself is left to it.
 */
function injectionComplaints(Class: Type<object>): readonly Complaint[] {
  const emitted = reflector.get<unknown>('design:paramtypes', Class);
  if (Array.isArray(emitted)) return [];
  const named = indexesOf(reflector.get<unknown>('self:paramtypes', Class));
  const missing = Array.from({ length: parameterCount(Class) }, (_, index) => index).filter(
    (index) => !named.has(index),
  );
  if (missing.length === 0) return [];
  const which = missing.map((index) => index + 1).join(', ');
  return [
    {
      where: Class.name,
      what: `has no types for its constructor, and parameter ${which} would be undefined`,
      instead: 'compile with emitDecoratorMetadata and a decorator on the class, or write @Inject(Token)',
    },
  ];
}

const indexesOf = (declared: unknown): ReadonlySet<unknown> =>
  new Set(Array.isArray(declared) ? declared.map((entry: { readonly index?: unknown }) => entry.index) : []);
