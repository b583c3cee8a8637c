// What do pipes work on? The class of arguments of a tool method, or the filled instance of a tool class; never the context.
import type { ExecutionContext } from '@nestjs/common';
import type { Constructor } from '../../contract/tool-contract.ts';
import { readDeclaredClass } from '../../metadata/declared-class.ts';
import { defineMethodMetadata } from '../../metadata/method-metadata.ts';
import type { ToolProvider } from './tool-provider.ts';

/** The key under which Nest is told of the parameter. */
export const pipedKey = 'toolmend:piped';

/** Where the value stands among what enhancers get. */
const pipedIndex = 2;

/** The member that has the metadata: none of the class's own, so that a method's own decorators stay as they are. */
export const pipedMember = (method: string): string => `${pipedKey}:${method}`;

/** Nest runs pipes only where it finds a parameter; without this they would be skipped in silence. */
export function declarePipedParameters({ Class, kind }: ToolProvider): void {
  if (kind === 'class') declarePiped(Class, 'execute', Class);
  for (const { fact, member } of readDeclaredClass(Class).methods) {
    if (fact.about === 'method' && member !== undefined) declarePiped(Class, member, fact.Arguments);
  }
}

// The suffix makes it a custom parameter: a ValidationPipe leaves those alone, and the arguments have been judged.
function declarePiped(Class: Constructor, method: string, type: unknown): void {
  const factory = (_data: unknown, context: ExecutionContext): unknown =>
    context.getArgByIndex<unknown>(pipedIndex);
  const parameter = { index: 0, factory, data: undefined, pipes: [] };
  defineMethodMetadata(Class, {
    member: pipedMember(method),
    types: [type],
    key: pipedKey,
    value: { 'arguments__customRouteArgs__:0': parameter },
  });
}
