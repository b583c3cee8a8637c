// What can be wrong with one field beside its type? Everything that would be left out, ignored or contradicted.
import type { Constraint } from '../../metadata/constraint.ts';
import type { DeclaredField } from '../../metadata/declared-class.ts';
import { hasPart, type ArgumentType } from '../argument-types/argument-type.ts';
import { constraintForm } from '../constraint-forms/constraint-forms.ts';
import type { Complain } from '../complaint-book.ts';
import type { FieldFacts } from './field-facts.ts';

export function complainOfField(
  field: DeclaredField,
  facts: FieldFacts,
  type: ArgumentType | undefined,
  complain: Complain,
): void {
  if (field.name === '__proto__')
    complain('is a name that validators leave out', 'call the field something else');
  for (const constraint of field.constraints) complainOfConstraint(constraint, complain);
  complainOfPresence(field, facts, complain);
  complainOfSecret(facts, complain);
  for (const decorator of field.transformer.ignored) {
    complain(
      `has ${decorator}, which isn't run on arguments`,
      'leave it out, or give the tool a class of its own',
    );
  }
  for (const mark of ['path', 'verbatim'] as const) {
    if (type !== undefined && facts.marks.has(mark) && !hasPart(type, ({ kind }) => kind === 'string')) {
      complain(`is marked as ${mark} but holds no text`, `put @${markNames[mark]}() on a field of text`);
    }
  }
}

/** The schema shows defaults and examples to the model. */
function complainOfSecret({ marks, default: defaultValue, examples }: FieldFacts, complain: Complain): void {
  if (!marks.has('secret')) return;
  if (defaultValue !== undefined)
    complain('has both @Secret and @Default, which models are shown', 'set the value in execute()');
  if (examples.length > 0)
    complain('has both @Secret and @Example, which models are shown', 'leave the example out');
}

const markNames = { path: 'PathField', verbatim: 'Verbatim' } as const;

function complainOfConstraint(constraint: Constraint, complain: Complain): void {
  const { decorator, name, role, check, groups } = constraint;
  if (groups.length > 0) {
    complain(
      `has ${decorator} for the validation groups ${groups.join(', ')}, and a tool call has no groups`,
      'leave the groups out, or give the tool a class of its own',
    );
  }
  // All of class-validator's own judge at once.
  const isOwn = role === 'check' && constraintForm(name) === undefined;
  if (role === 'promise' || (isOwn && check?.timing() === 'async')) {
    complain(
      `has ${decorator}, which must be waited for, and arguments are judged at once`,
      'check it in execute() and throw a ToolRetry',
    );
  }
  if ((role === 'check' || role === 'defined') && check === undefined) {
    complain(`has ${decorator} without anything to run`, 'put @ValidatorConstraint() on the validator class');
  }
}

function complainOfPresence({ constraints }: DeclaredField, facts: FieldFacts, complain: Complain): void {
  const optional = constraints.find(({ role }) => role === 'optional');
  const isDefined = constraints.some(({ role }) => role === 'defined');
  if (optional !== undefined && isDefined)
    complain('has both @IsOptional and @IsDefined', 'leave one of them out');
  if (isDefined && facts.marks.has('nullable'))
    complain('has both @Nullable and @IsDefined', 'leave one of them out');
  if (isDefined && facts.default !== undefined)
    complain('has both @Default and @IsDefined', 'leave one of them out');
  const isConditional = constraints.some(({ role }) => role === 'condition');
  if (isConditional && facts.default !== undefined) {
    complain('has both @Default and @ValidateIf', 'leave one of them out');
  }
}

/** A field that the application fills: nothing is asked of a model, so nothing may be said of what it sends. */
export function complainOfContextField(field: DeclaredField, facts: FieldFacts, complain: Complain): void {
  const said = [
    ...(facts.default === undefined ? [] : ['@Default']),
    ...(facts.aliases.length === 0 ? [] : ['@Alias']),
    ...(facts.examples.length === 0 ? [] : ['@Example']),
    ...(facts.pairs.length === 0 ? [] : ['@PairedDefault']),
    ...field.constraints.filter(({ role }) => role !== 'allow').map(({ decorator }) => decorator),
  ];
  if (said.length === 0) return;
  complain(
    `is set by the application (@FromContext), so ${said.join(', ')} would do nothing`,
    'leave out all but @FromContext',
  );
}
