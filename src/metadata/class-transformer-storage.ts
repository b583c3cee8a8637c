// What did class-transformer's decorators say of a member? Only @Type counts; what would change a value on its
// way is named, so that it can be refused instead of being left out in silence.
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { ArgumentClass } from './declared-type.ts';

export interface TransformerFacts {
  /** What @Type returns, unread: a class may not exist yet. */
  readonly typeOf?: () => unknown;
  /** Decorators that tool arguments don't go through. */
  readonly ignored: readonly string[];
}

const fromPlain = 0;

export function transformerFactsOf(Class: ArgumentClass, member: string): TransformerFacts {
  const storage = defaultMetadataStorage;
  const type = storage.findTypeMetadata(Class, member);
  const ignored = [
    ...(storage.findTransformMetadatas(Class, member, fromPlain).length > 0 ? ['@Transform'] : []),
    ...(storage.findExposeMetadata(Class, member)?.options?.name === undefined ? [] : ['@Expose({ name })']),
    ...(storage.findExcludeMetadata(Class, member) === undefined ? [] : ['@Exclude']),
    ...(type?.options?.discriminator === undefined ? [] : ['@Type({ discriminator })']),
  ];
  return type?.typeFunction === undefined ? { ignored } : { ignored, typeOf: type.typeFunction };
}
