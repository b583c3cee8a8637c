// Which of the judge's errors are a failure of their own, and which only say why one branch of a union didn't fit?
import type { JudgedError } from './compile-schema.ts';

/** A union fails once: what its branches said of the same place is dropped. */
export function withoutBranches(errors: readonly JudgedError[]): readonly JudgedError[] {
  const unions = errors.filter(
    ({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'if',
  );
  return errors.filter((error, at) =>
    unions.every((union) => {
      const isInside =
        error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`);
      const isBranch =
        error.schemaPath.startsWith(`${union.schemaPath}/`) || !isSameDocumentPart(error, union);
      return error === union || !isInside || !isBranch || at > errors.indexOf(union);
    }),
  );
}

/** Behind a `$ref` a schema path starts anew, so that it says nothing of where it hangs. */
const isSameDocumentPart = (error: JudgedError, union: JudgedError): boolean =>
  error.schemaPath.split('#')[0] === union.schemaPath.split('#')[0] && !error.schemaPath.includes('#/$defs');
