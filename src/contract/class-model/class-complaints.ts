// What can be wrong between the fields of one class, or with the class itself?
import { foldKey } from '../../json/fold-key.ts';
import { isJsonObject } from '../../json/json-value.ts';
import type { ClassModel, ClassModels, FieldModel } from './class-model.ts';
import type { Complain, ComplaintBook } from '../complaint-book.ts';
import { discriminatorValues } from './discriminator.ts';
import { hasPart, type ArgumentType } from '../argument-types/argument-type.ts';

export function complainOfClass(model: ClassModel, models: ClassModels, book: ComplaintBook): void {
  for (const field of model.fields) {
    complainOfAliases(model, field, book);
    complainOfPairs(model, field, book);
    hasPart(field.type, (part) => complainOfOneOf(part, models, book.at(model.name, field.name)));
  }
  complainOfChecks(model, book);
  complainOfNames(model, book);
  complainOfExamples(model, book);
}

/** Whoever misspells one of them could mean the other. */
function complainOfNames({ name, members }: ClassModel, book: ComplaintBook): void {
  const first = new Map<string, string>();
  for (const member of members) {
    const other = first.get(spellingOf(member));
    first.set(spellingOf(member), other ?? member);
    if (other !== undefined)
      book.at(name, member)(`is spelled like the field ${other}`, 'call one of them something else');
  }
}

function complainOfExamples({ name, fields, examples }: ClassModel, book: ComplaintBook): void {
  for (const field of fields.filter(({ facts }) => facts.marks.has('secret'))) {
    if (examples.some((example) => isJsonObject(example) && Object.hasOwn(example, field.name)))
      book.at(name, field.name)(
        'is a @Secret that the class’s @Example shows to models',
        'leave it out of the example, or the example out of the class',
      );
  }
}

const spellingOf = (name: string): string => foldKey(name) ?? name;

function complainOfAliases(model: ClassModel, field: FieldModel, book: ComplaintBook): void {
  const complain = book.at(model.name, field.name);
  const others = model.fields.filter((other) => other !== field).flatMap(({ facts }) => facts.aliases);
  const names = [...model.members].filter((name) => name !== field.name);
  for (const alias of field.facts.aliases) {
    const spelling = spellingOf(alias);
    const spelled = names.find((name) => spellingOf(name) === spelling);
    if (model.members.has(alias))
      complain(`has the alias ${alias}, which is a field`, 'leave that alias out');
    else if (spelled !== undefined)
      complain(`has the alias ${alias}, which is spelled like the field ${spelled}`, 'leave that alias out');
    const shared = others.find((other) => spellingOf(other) === spelling);
    if (shared === alias) complain(`shares the alias ${alias} with another field`, 'keep it at one of them');
    else if (shared !== undefined)
      complain(
        `has the alias ${alias}, which is spelled like the alias ${shared} of another field`,
        'keep it at one of them',
      );
  }
}

function complainOfPairs(model: ClassModel, field: FieldModel, book: ComplaintBook): void {
  const complain = book.at(model.name, field.name);
  for (const { partner } of field.facts.pairs) {
    const other = model.fields.find(({ name }) => name === partner);
    if (other === field) complain('is paired with itself', 'name the field that goes with it');
    else if (other === undefined)
      complain(`is paired with ${partner}, which is no field`, 'name a field of the class');
    else if (other.facts.marks.has('secret'))
      complain(
        `gives a value for ${partner}, which is a @Secret that the note would show`,
        'set it in execute()',
      );
    else if (other.presence === 'required') {
      complain(`is paired with ${partner}, which is never absent`, `put @IsOptional() on ${partner}`);
    }
  }
}

/** Members of a union by discriminator need a constant each, and no two the same. */
function complainOfOneOf(type: ArgumentType, models: ClassModels, complain: Complain): false {
  if (type.kind !== 'oneOf') return false;
  const taken = new Map<unknown, string>();
  for (const Class of type.Classes) {
    const values = discriminatorValues(models.get(Class), type.discriminator);
    if (values.length === 0) {
      complain(
        `tells ${Class.name} apart by ${type.discriminator}, which is no required constant there`,
        `write @Equals('…') ${type.discriminator} in ${Class.name}`,
      );
    }
    for (const value of values) {
      const other = taken.get(value);
      if (other !== undefined) {
        complain(
          `can't tell ${other} and ${Class.name} apart: ${type.discriminator} is ${JSON.stringify(value)} in both`,
          'give each class a constant of its own',
        );
      }
      taken.set(value, Class.name);
    }
  }
  return false;
}

function complainOfChecks(model: ClassModel, book: ComplaintBook): void {
  for (const name of model.checks) {
    const method: unknown = Reflect.get(model.Class.prototype, name);
    if (typeof method === 'function' && method.length > 0) {
      book.at(model.name, name)(
        'is a @Check that takes a parameter, and is given none',
        'read the fields from this',
      );
    }
    if (Object.prototype.toString.call(method) !== '[object AsyncFunction]') continue;
    book.at(model.name, name)(
      'is a @Check that must be waited for, and arguments are judged at once',
      'return true or the sentence itself; what must be waited for belongs into execute() with a ToolRetry',
    );
  }
}
