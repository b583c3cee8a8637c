import { type ShownTool } from './provider-rules.ts';
import { providerOf } from './transform-schema.ts';

/** Name, description and JSON Schema as it is, for no provider in particular. */
export const neutral = providerOf(
  {
    schema: {
      keeps: () => true,
      root: 'any',
      objects: 'declared',
      optional: 'absent',
      references: 'kept',
      types: 'lists',
      members: 'any',
      anything: 'kept',
      untypedItems: 'kept',
    },
    limits: {},
  },
  ({ name, description, schema }): ShownTool => ({ name, description, inputSchema: schema }),
);
