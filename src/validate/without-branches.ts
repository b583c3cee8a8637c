// Which of the judge's errors are a failure of their own, and which only say why one branch of a union didn't fit?
import type { SchemaFailure } from '../contract/schema-judge.ts';

/** A union fails once: what its branches said of the same place is dropped. */
export function withoutBranches(errors: readonly SchemaFailure[]): readonly SchemaFailure[] {
  const unions = errors.filter(
    ({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'contains',
  );
  return errors.filter((error, at) =>
    unions.every((union) => {
      const isInside = error.path === union.path || error.path.startsWith(`${union.path}/`);
      const isBranch =
        error.schemaPath.startsWith(`${union.schemaPath}/`) || !isSameDocumentPart(error, union);
      return error === union || !isInside || !isBranch || at > errors.indexOf(union);
    }),
  );
}

/** Behind a `$ref` a schema path starts anew, so that it says nothing of where it hangs. */
const isSameDocumentPart = (error: SchemaFailure, union: SchemaFailure): boolean =>
  error.schemaPath.split('#')[0] === union.schemaPath.split('#')[0] && !error.schemaPath.includes('#/$defs');
