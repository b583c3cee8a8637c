// What does toolmend ask of a library that judges values by a JSON Schema? The port; the adapters stand in validate/.
import type { JsonSchema, SchemaObject } from '../json/json-schema.ts';
import type { JsonValue } from '../json/json-value.ts';

/** Makes the judge of one contract's schema. Throws, with any message, for a schema that it can't judge by. */
export type SchemaJudge = (root: SchemaObject) => RootJudge;

/** Judges by one root, which is JSON Schema 2020-12 with resolved references, and by parts of it. */
export interface RootJudge {
  /** Whether a value passes the root or a part of it; a part may also be made of the root's parts. */
  compile(part: JsonSchema): (value: JsonValue) => boolean;
  /** Every failure of the root, outermost first. Asked only for a value that doesn't pass. */
  failures(value: JsonValue): readonly SchemaFailure[];
  /** Steps of all judgements so far; absent where none can take far longer than its value is long. */
  stepsTaken?(): number;
}

/** One failure, as data; nothing else of the judge is known outside its adapter. */
export interface SchemaFailure {
  /** The keyword that failed; `false schema` where nothing may stand. */
  readonly keyword: string;
  /** JSON Pointer of the value that fails. */
  readonly path: string;
  /** The keyword's place; behind a reference it starts anew, with the address of what the reference leads to. */
  readonly schemaPath: string;
  /** The key that is missing or unknown, where the failure is about one. */
  readonly key?: string;
  /** The schema that the keyword stands in. */
  readonly schema: JsonSchema;
}
