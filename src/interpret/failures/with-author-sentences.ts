// Did the author write a sentence of their own for what is wrong at a place? It stands behind what the schema says.
import type { Issue } from '../../issues/issue.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import type { Judge } from '../../validate/judge.ts';

/** The issues, the first one of each place with the sentences for that place. `value`: the arguments as a whole. */
export function withAuthorSentences(
  { contract }: Judge,
  issues: readonly Issue[],
  { value, placeOf }: { readonly value: JsonValue; readonly placeOf: (issue: Issue) => string },
): readonly Issue[] {
  if (contract.sentences === undefined || !isJsonObject(value)) return issues;
  const sentences = new Map<string, Set<string>>();
  for (const { path, message } of contract.sentences(value))
    sentences.set(path, (sentences.get(path) ?? new Set()).add(message));
  return issues.map((issue) => {
    const said = sentences.get(placeOf(issue));
    if (said === undefined) return issue;
    sentences.delete(placeOf(issue));
    return { ...issue, advice: [...(issue.advice === undefined ? [] : [issue.advice]), ...said].join('; ') };
  });
}
