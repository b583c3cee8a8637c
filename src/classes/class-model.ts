import type { Complain } from '../errors/definition-error.ts';
import { readPlainValue } from '../json/serialize.ts';
import { type JsonValue, copyJson, freezeDeep } from '../json/value.ts';
import type { ArgumentType } from './argument-type.ts';
import type { Condition, Constraint } from './class-validator.ts';
import type { ArgumentClass, Declaration, EnumMember, FieldFact } from './declarations.ts';

export interface FieldFacts {
  readonly description?: string;
  readonly title?: string;
  readonly hints: readonly string[];
  readonly aliases: readonly string[];
  readonly marks: ReadonlySet<Mark['about']>;
  readonly default?: JsonValue;
  readonly examples: readonly JsonValue[];
  readonly pairs: readonly DeclaredPair[];
  /** The application's value that fills the field; such a field is no argument. */
  readonly contextKey?: string;
}

export interface DeclaredPair {
  readonly partner: string;
  readonly value: JsonValue;
}

type About = FieldFact['about'];

export function readFieldFacts(declarations: readonly Declaration[], complain: Complain): FieldFacts {
  const facts = declarations.flatMap(({ fact }) => (isFieldFact(fact) ? [fact] : []));
  complainOfRepetitions(declarations, complain);
  complainOfNothing(declarations, complain);
  // Decorators run from the last to the first; what is listed is listed as written.
  const written = facts.toReversed();
  const texts = (about: About) =>
    written.flatMap((fact) => (fact.about === about && 'text' in fact ? [fact.text] : []));
  const values = (about: 'default' | 'example') =>
    written.flatMap((fact) => (fact.about === about ? jsonOf(`@${names[about]}`, fact.value, complain) : []));
  const [description] = texts('description');
  const [title] = texts('title');
  const [defaultValue] = values('default');
  const [contextKey] = written.flatMap((fact) => (fact.about === 'context' ? [fact.key] : []));
  return {
    hints: texts('hint'),
    aliases: written.flatMap((fact) => (fact.about === 'aliases' ? fact.names : [])),
    marks: new Set(written.flatMap((fact) => (isMark(fact) ? [fact.about] : []))),
    examples: values('example'),
    pairs: written.flatMap((fact) => (fact.about === 'pair' ? pairOf(fact, complain) : [])),
    ...(description === undefined ? {} : { description }),
    ...(title === undefined ? {} : { title }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(contextKey === undefined ? {} : { contextKey }),
  };
}

const names = { default: 'Default', example: 'Example' } as const;

const abouts: ReadonlySet<string> = new Set<About>([
  'field',
  'type',
  'description',
  'title',
  'hint',
  'path',
  'verbatim',
  'secret',
  'nullable',
  'unhinted',
  'aliases',
  'default',
  'example',
  'pair',
  'context',
]);

const isFieldFact = (fact: Declaration['fact']): fact is FieldFact => abouts.has(fact.about);

type Mark = Extract<FieldFact, { readonly about: 'path' | 'verbatim' | 'secret' | 'nullable' | 'unhinted' }>;

const marks: ReadonlySet<About> = new Set<Mark['about']>([
  'path',
  'verbatim',
  'secret',
  'nullable',
  'unhinted',
]);

const isMark = (fact: FieldFact): fact is Mark => marks.has(fact.about);

// Types that don't fit each other are told apart, with what each says.
const repeatable: ReadonlySet<string> = new Set<About>([
  'field',
  'type',
  'aliases',
  'example',
  'pair',
  'hint',
]);

function complainOfRepetitions(declarations: readonly Declaration[], complain: Complain): void {
  const seen = new Map<string, string>();
  for (const { decorator, fact } of declarations) {
    if (repeatable.has(fact.about)) continue;
    const earlier = seen.get(fact.about);
    if (earlier !== undefined) complain(`has both ${decorator} and ${earlier}`, 'leave one of them out');
    seen.set(fact.about, decorator);
  }
}

/** What says nothing was meant to say something. */
function complainOfNothing(declarations: readonly Declaration[], complain: Complain): void {
  for (const { decorator, fact } of declarations) {
    if (fact.about === 'aliases' && (fact.names.length === 0 || fact.names.some(isBlank))) {
      complain(`has ${decorator} without a name`, `write ${decorator}('name') with what models send instead`);
    }
    if (fact.about === 'description' && isBlank(fact.text)) {
      complain(
        `has ${decorator} with an empty description`,
        'write what the argument is for, or leave it out',
      );
    }
  }
}

const isBlank = (text: unknown): boolean => typeof text !== 'string' || text.trim() === '';

const maxDepth = 64;

/** A frozen copy of what an author wrote as JSON, in a list; the list is empty if it is no JSON. */
export function jsonOf(decorator: string, value: unknown, complain: Complain): readonly JsonValue[] {
  const reading = readPlainValue(value, maxDepth);
  if (reading.kind === 'plain') return [freezeDeep(copyJson(reading.value))];
  complain(`has ${decorator} with a value that is no JSON`, 'write the value as the model would send it');
  return [];
}

function pairOf(
  { partner, value }: { readonly partner: string; readonly value: unknown },
  complain: Complain,
): readonly DeclaredPair[] {
  return jsonOf('@PairedDefault', value, complain).map((json) => ({ partner, value: json }));
}

// Values only; nested classes by identity.
export interface ClassModel {
  readonly Class: ArgumentClass;
  readonly name: string;
  /** Every field, whether it could be read or not. */
  readonly members: ReadonlySet<string>;
  /** The arguments, in the order in which they are written, parents' first. */
  readonly fields: readonly FieldModel[];
  readonly contextFields: readonly ContextField[];
  /** Names of the `@Check` methods. */
  readonly checks: readonly string[];
  /** Whole objects that the author gave as examples. */
  readonly examples: readonly JsonValue[];
  readonly hints: readonly string[];
}

export interface FieldModel {
  readonly name: string;
  readonly type: ArgumentType;
  /** `conditional`: its constraints apply only when `conditions` hold, so only its own checks can ask for it. */
  readonly presence: 'required' | 'optional' | 'conditional';
  readonly facts: FieldFacts;
  /** The constraints that JSON Schema can say. */
  readonly keyworded: readonly Constraint[];
  /** The constraints whose own check runs. */
  readonly checked: readonly Constraint[];
  readonly conditions: readonly Condition[];
}

export interface ContextField {
  readonly name: string;
  /** The application's name for the value. */
  readonly key: string;
}

/** Every class that a tool's arguments reach, by identity. */
export type ClassModels = ReadonlyMap<ArgumentClass, ClassModel>;

/** The constants of the discriminating field; empty: the class has none that must be sent. */
export function discriminatorValues(
  model: ClassModel | undefined,
  discriminator: string,
): readonly EnumMember[] {
  const field = model?.fields.find(({ name }) => name === discriminator);
  if (field?.presence !== 'required') return [];
  if (field.type.kind === 'const') return [field.type.value];
  return field.type.kind === 'enum' ? field.type.values : [];
}
