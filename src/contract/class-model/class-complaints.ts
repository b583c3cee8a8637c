// What can be wrong between the fields of one class, or with the class itself?
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
}

function complainOfAliases(model: ClassModel, field: FieldModel, book: ComplaintBook): void {
  const complain = book.at(model.name, field.name);
  const others = model.fields.filter((other) => other !== field).flatMap(({ facts }) => facts.aliases);
  for (const alias of field.facts.aliases) {
    if (model.members.has(alias))
      complain(`has the alias ${alias}, which is a field`, 'leave that alias out');
    if (others.includes(alias))
      complain(`shares the alias ${alias} with another field`, 'keep it at one of them');
  }
}

function complainOfPairs(model: ClassModel, field: FieldModel, book: ComplaintBook): void {
  const complain = book.at(model.name, field.name);
  for (const { partner } of field.facts.pairs) {
    const other = model.fields.find(({ name }) => name === partner);
    if (other === field) complain('is paired with itself', 'name the field that goes with it');
    else if (other === undefined)
      complain(`is paired with ${partner}, which is no field`, 'name a field of the class');
    else if (other?.presence === 'required') {
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
    if (Object.prototype.toString.call(method) !== '[object AsyncFunction]') continue;
    book.at(model.name, name)(
      'is a @Check that must be waited for, and arguments are judged at once',
      'return true or the sentence itself; what must be waited for belongs into execute() with a ToolRetry',
    );
  }
}
