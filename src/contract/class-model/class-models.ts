// What is known of a class of arguments and of every class it reaches? Read anew for each tool: nothing is kept.
import type { ArgumentClass } from '../../metadata/declared-type.ts';
import { classesIn } from '../argument-types/argument-type.ts';
import type { ComplaintBook } from '../complaint-book.ts';
import { parameterCount } from '../construction.ts';
import { complainOfClass } from './class-complaints.ts';
import type { ClassModel, ClassModels } from './class-model.ts';
import { readClassModel } from './read-class-model.ts';

/**
 * The models of the class and of all classes its fields name, in the order in which they are met. A tool may be made
 * with parameters and have no arguments; a class that is nothing but arguments may not. Results are made by the tool itself.
 */
export function readClassModels(
  Root: ArgumentClass,
  rootIs: 'tool' | 'arguments' | 'result',
  book: ComplaintBook,
): ClassModels {
  const models = new Map<ArgumentClass, ClassModel>();
  const waiting = [Root];
  for (let Class = waiting.shift(); Class !== undefined; Class = waiting.shift()) {
    if (models.has(Class)) continue;
    const model = readClassModel(Class, book);
    models.set(Class, model);
    if (Class !== Root || rootIs !== 'tool') complainOfFields(model, book);
    if (Class !== Root ? rootIs !== 'result' : rootIs === 'arguments') complainOfParameters(model, book);
    waiting.push(...model.fields.flatMap(({ type }) => classesIn(type)));
  }
  for (const model of models.values()) complainOfClass(model, models, book);
  return models;
}

function complainOfParameters({ Class, name }: ClassModel, book: ComplaintBook): void {
  const parameters = parameterCount(Class);
  if (parameters > 0) {
    book.at(name)(
      `has a constructor with ${parameters} ${parameters === 1 ? 'parameter' : 'parameters'}, and arguments are made without any`,
      'give it a constructor without parameters',
    );
  }
}

function complainOfFields({ name, members }: ClassModel, book: ComplaintBook): void {
  if (members.size === 0) {
    book.at(name)('declares no field that can be read', 'decorate its fields, as with @IsString()');
  }
}
