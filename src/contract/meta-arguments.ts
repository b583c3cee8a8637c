// Which arguments are about the call and not for the tool? Shown to models, taken out before the tool sees anything.
import type { SchemaObject } from '../json/json-schema.ts';
import type { MetaArgument } from './tool-contract.ts';

/** `_rationale`, `_timeout_seconds` and `_background`; off until a registry or a call switches them on. */
export const standardMetaArguments: readonly MetaArgument[] = Object.freeze([
  {
    key: '_rationale',
    name: 'rationale',
    kind: 'text',
    aliases: [],
    isRequired: false,
    schema: { type: 'string', description: 'Why this call is made, in one sentence.' },
  },
  {
    key: '_timeout_seconds',
    name: 'timeout_seconds',
    kind: 'positive-integer',
    aliases: ['timeout'],
    isRequired: false,
    schema: { type: 'integer', minimum: 1, description: 'Seconds this call may take.' },
  },
  {
    key: '_background',
    name: 'background',
    kind: 'boolean',
    aliases: [],
    isRequired: false,
    schema: { type: 'boolean', description: 'Whether the call may go on in the background.' },
  },
] satisfies readonly MetaArgument[]);

/** The schema of what the tool itself gets: without meta arguments that its author has declared already. */
export function withoutMeta(schema: SchemaObject, meta: readonly MetaArgument[]): SchemaObject {
  const keys = new Set(meta.map(({ key }) => key));
  if (keys.size === 0) return schema;
  const properties = Object.entries(schema.properties ?? {}).filter(([key]) => !keys.has(key));
  return {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties: Object.fromEntries(properties) }),
    ...(schema.required === undefined ? {} : { required: schema.required.filter((key) => !keys.has(key)) }),
  };
}

/** Whether a tool's own schema requires a meta argument. */
export const isRequiredIn = (schema: SchemaObject, key: string): boolean =>
  schema.required?.includes(key) ?? false;
