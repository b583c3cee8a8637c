// Where does a description stand in a schema? Behind the type, so that the same schema is always the same text.
import type { SchemaObject } from '../../json/json-schema.ts';

/** The schema with this description and whatever else is said of it. */
export function withDescription(schema: SchemaObject, said: SchemaObject): SchemaObject {
  const { type, nullable, description: _own, ...rest } = schema;
  const { description, ...others } = said;
  const about = description === undefined ? {} : { description };
  const head = {
    ...(type === undefined ? {} : { type }),
    ...(nullable === undefined ? {} : { nullable }),
  };
  return type === undefined
    ? { ...head, ...rest, ...others, ...about }
    : { ...head, ...about, ...rest, ...others };
}
