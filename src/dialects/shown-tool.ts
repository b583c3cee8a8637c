// What may a model see of a tool? Its contract without our annotations, with its hints and its meta arguments.
import type { MetaArgument, ToolContract } from '../contract/tool-contract.ts';
import { freezeDeep } from '../json/freeze-deep.ts';
import type { SchemaObject } from '../json/json-schema.ts';
import { mapSubschemas } from '../json/map-subschemas.ts';
import { onceEach } from './once-each.ts';

/** A tool as every provider's form is made from it. Frozen to the bottom; the same bytes every time. */
export interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: SchemaObject;
}

export const shownTool: (contract: ToolContract) => ShownTool = onceEach((contract) =>
  freezeDeep({
    name: contract.name,
    description: [contract.description, ...contract.hints].filter((text) => text !== '').join('\n'),
    inputSchema: withMeta(withoutAnnotations(contract.inputSchema), contract.meta),
  }),
);

const annotations = ['x-toolmend', 'dirge-hints', 'x-dirge-kind'];

/** Only keywords are taken out: a property of such a name, or a key in a default, is data. */
function withoutAnnotations(schema: SchemaObject): SchemaObject {
  const kept = Object.entries(schema).filter(([keyword]) => !annotations.includes(keyword));
  return mapSubschemas(Object.fromEntries(kept), withoutAnnotations);
}

/** After the tool's own arguments; required where the tool's author required them. */
function withMeta(schema: SchemaObject, meta: readonly MetaArgument[]): SchemaObject {
  if (meta.length === 0) return schema;
  const injected = Object.fromEntries(meta.map((argument) => [argument.key, argument.schema]));
  const required = meta.filter(({ isRequired }) => isRequired).map(({ key }) => key);
  return {
    ...schema,
    properties: { ...schema.properties, ...injected },
    ...(required.length === 0 ? {} : { required: [...(schema.required ?? []), ...required] }),
  };
}
