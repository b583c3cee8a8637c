// What did an author say of the object that a tool returns? A JSON Schema, or a class that becomes one.
import { freezeDeep } from '../../json/freeze-deep.ts';
import type { SchemaObject } from '../../json/json-schema.ts';
import type { DeclaredExecution } from '../../metadata/declared-execution.ts';
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import { classCheck } from '../class-instance/class-check.ts';
import { readClassModels } from '../class-model/class-models.ts';
import { classSchema } from '../class-schema/class-schema.ts';
import type { Complain, ComplaintBook } from '../complaint-book.ts';
import type { ExecutionFacts } from '../tool-contract.ts';
import { withoutAnnotations } from '../without-annotations.ts';

type OutputFacts = Pick<ExecutionFacts, 'outputSchema' | 'annotatedOutputSchema' | 'outputCheck'>;

/** Frozen; empty if nothing was said. `complain`: of the tool. */
export function readOutputFacts(
  written: DeclaredExecution['outputSchema'],
  complain: Complain,
  book: ComplaintBook,
): OutputFacts {
  if (written === undefined) return {};
  if (isClass(written)) return outputOfClass(written, book);
  if (!isObjectSchema(written)) {
    complain(
      'has an outputSchema that is no object schema',
      "write { type: 'object', properties: { … } }, or a class with decorated fields",
    );
    return {};
  }
  return schemasOf(structuredClone(written));
}

function outputOfClass(Class: ArgumentClass, book: ComplaintBook): OutputFacts {
  const models = readClassModels(Class, 'result', book);
  for (const { name, contextFields } of models.values()) {
    for (const field of contextFields) {
      book.at(name, field.name)(
        'is @FromContext in a class of results',
        'leave it out: the tool fills its result',
      );
    }
  }
  const check = classCheck(Class, models);
  return {
    ...schemasOf(classSchema(Class, models).schema),
    ...(check === undefined ? {} : { outputCheck: check }),
  };
}

const schemasOf = (annotated: SchemaObject): OutputFacts => ({
  outputSchema: freezeDeep(withoutAnnotations(annotated)),
  annotatedOutputSchema: freezeDeep(annotated),
});

const isClass = (written: unknown): written is ArgumentClass => typeof written === 'function';

const isObjectSchema = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && Reflect.get(schema, 'type') === 'object';
