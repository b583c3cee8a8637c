// How are a class of arguments and what is said of a tool put together to a contract?
import { freezeDeep } from '../json/freeze-deep.ts';
import type { ArgumentClass } from '../metadata/declared-type.ts';
import { besideSchema } from './class-instance/beside-schema.ts';
import type { ClassModel, ClassModels } from './class-model/class-model.ts';
import { findInitialisers } from './class-model/initialisers.ts';
import type { Sample } from './class-schema/class-samples.ts';
import { classSchema } from './class-schema/class-schema.ts';
import type { ComplaintBook } from './complaint-book.ts';
import type { ToolBinding, ToolContract } from './tool-contract.ts';
import type { ToolFacts } from './said-of-tool/tool-facts.ts';

/** A contract whose samples nobody has judged yet. */
export interface ToolDraft {
  readonly contract: ToolContract;
  readonly samples: readonly Sample[];
}

export interface ToolParts {
  readonly facts: ToolFacts;
  /** What is said of the tool beside what its arguments say. */
  readonly hints: readonly string[];
  readonly Arguments: ArgumentClass;
  readonly models: ClassModels;
  readonly binding: ToolBinding;
}

export function draftTool(
  { facts, hints, Arguments, models, binding }: ToolParts,
  book: ComplaintBook,
): ToolDraft {
  const { schema, samples } = classSchema(Arguments, models);
  for (const model of models.values()) {
    for (const { where, what, instead } of findInitialisers(model)) book.at(where)(what, instead);
  }
  const contextFields = models.get(Arguments)?.contextFields ?? [];
  const contract: ToolContract = Object.freeze({
    ...facts,
    hints: Object.freeze([...hints, ...[...models.values()].flatMap(hintsOf)]),
    inputSchema: freezeDeep(schema),
    strict: Object.freeze({ paths: 'declared', spellings: true }),
    meta: Object.freeze([]),
    contextFields: Object.freeze(contextFields.map(({ name }) => name)),
    ...besideSchema(Arguments, models),
    binding: Object.freeze(binding),
  });
  return { contract, samples };
}

const hintsOf = ({ hints, fields }: ClassModel): readonly string[] => [
  ...hints,
  ...fields.flatMap(({ facts }) => facts.hints),
];
