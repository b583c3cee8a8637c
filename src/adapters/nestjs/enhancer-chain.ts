// How do an application's guards, interceptors, pipes and filters come to stand around a tool call? Each by Nest itself.
import type { ExternalContextCreator } from '@nestjs/core';
import { ToolmendError } from '../../errors/toolmend-error.ts';
import type { CallScope } from './call-scopes.ts';
import { pipedKey, pipedMember } from './piped-parameter.ts';
import { toolContextType } from './tool-execution.ts';
import type { ToolProvider } from './tool-provider.ts';

/** A method of a provider, and the call that is to run it. */
export interface ChainedCall {
  readonly provider: ToolProvider;
  readonly method: string;
  readonly scope: CallScope;
  /** Of the provider's class; a guard sees none of it but the class. */
  readonly instance: object;
}

type Part = 'guards' | 'interceptors' | 'filters';

/** Runs one part of Nest's chain at a time, so that what each has decided is never lost in what the next returns. */
export class EnhancerChain {
  readonly #creator: ExternalContextCreator;

  constructor(creator: ExternalContextCreator) {
    this.#creator = creator;
  }

  /** Rejects with what a guard throws; with Nest's ForbiddenException where one says no. */
  async guard(chained: ChainedCall): Promise<void> {
    await this.#run(chained, 'guards', () => undefined);
  }

  /** Interceptors around pipes around `run`, which gets what the pipes made of the value. */
  intercept(chained: ChainedCall, piped: unknown, run: (piped: unknown) => unknown): Promise<unknown> {
    return this.#run(chained, 'interceptors', run, piped);
  }

  /** What the filters make of an error: `threw` with it if none of them catches it. */
  async filter(chained: ChainedCall, error: unknown): Promise<FilterResult> {
    try {
      const returned = await this.#run(chained, 'filters', () => {
        throw error;
      });
      return { kind: 'returned', value: returned };
    } catch (thrown) {
      return { kind: 'threw', error: thrown };
    }
  }

  #run(
    { provider, method, scope, instance }: ChainedCall,
    part: Part,
    run: (piped: unknown) => unknown,
    piped?: unknown,
  ): Promise<unknown> {
    const { wrapper } = provider;
    const { execution, contextId } = scope;
    const isPiped = part === 'interceptors';
    const chain = this.#creator.create(
      instance,
      inPlaceOf(methodOf(instance, method), run),
      isPiped ? pipedMember(method) : method,
      isPiped ? pipedKey : undefined,
      isPiped ? { exchangeKeyForValue: () => undefined } : undefined,
      contextId,
      wrapper.id,
      { guards: false, interceptors: false, filters: false, [part]: true },
      toolContextType,
    );
    return chain(execution.arguments, execution, piped);
  }
}

/** A filter's value is no result of the tool: whoever asks decides what it means. */
export type FilterResult =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown };

function methodOf(instance: object, name: string): (...parameters: never[]) => unknown {
  const method: unknown = Reflect.get(instance, name);
  if (isFunction(method)) return method;
  throw new ToolmendError('no-method', `${instance.constructor.name} has no method ${name}`);
}

const isFunction = (value: unknown): value is (...parameters: never[]) => unknown =>
  typeof value === 'function';

/** A function of the method's name that has what decorators said of the method: metadata is inherited. */
function inPlaceOf(
  method: (...parameters: never[]) => unknown,
  run: (...parameters: unknown[]) => unknown,
): (...parameters: unknown[]) => unknown {
  const standIn = (...parameters: unknown[]): unknown => run(...parameters);
  Object.setPrototypeOf(standIn, method);
  return Object.defineProperty(standIn, 'name', { value: method.name });
}
