// How does a schema that a provider was given admit null too?
import type { SchemaObject } from '../../json/json-schema.ts';
import { divided } from '../normal-form/schema-kinds.ts';

/** The same schema if it admits null already. */
export function orNull(schema: SchemaObject): SchemaObject {
  if (saysNull(schema)) return schema;
  const { type, enum: members, anyOf } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (type !== undefined && schema.$ref === undefined && schema.const === undefined) {
    const types = [type].flat();
    return {
      ...schema,
      type: [...types, ...(types.includes('null') ? [] : (['null'] as const))],
      ...(members === undefined ? {} : { enum: [...members, ...(members.includes(null) ? [] : [null])] }),
    };
  }
  const { described, asserted } = divided(schema);
  return { anyOf: [asserted, { type: 'null' }], ...described };
}

/** Whether null is seen at once; a reference may admit it too, and then it is said twice. */
function saysNull({ $ref, type, anyOf, enum: members, const: constant }: SchemaObject): boolean {
  if ($ref !== undefined || (constant !== undefined && constant !== null)) return false;
  if (members !== undefined && !members.includes(null)) return false;
  if (anyOf !== undefined)
    return anyOf.some((branch) => (typeof branch === 'boolean' ? branch : saysNull(branch)));
  return type === undefined || [type].flat().includes('null');
}
