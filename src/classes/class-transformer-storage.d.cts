/** One for each build of class-transformer that can be required; none if it is not installed. */
declare const storages: readonly storages.TransformerStorage[];

declare namespace storages {
  interface Found {
    readonly propertyName: string | undefined;
    readonly typeFunction?: () => unknown;
    readonly options?:
      | {
          readonly discriminator?: unknown;
          readonly name?: string;
          readonly groups?: readonly string[];
        }
      | undefined;
  }

  interface FoundTransform extends Found {
    readonly transformFn: (parameters: {
      readonly value: unknown;
      readonly key: string;
      readonly obj: object;
      readonly type: 0;
      readonly options: object;
    }) => unknown;
  }

  interface TransformerStorage {
    findTypeMetadata(target: object, member: string): Found | undefined;
    findExposeMetadata(target: object, member: string): Found | undefined;
    findExcludeMetadata(target: object, member: string): Found | undefined;
    /** `transformation` 0: plain data to instances. */
    findTransformMetadatas(
      target: object,
      member: string,
      transformation: 0,
    ): readonly FoundTransform[];
  }
}

export = storages;
