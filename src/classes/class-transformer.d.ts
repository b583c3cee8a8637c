// class-transformer ships no types for the files of its CommonJS build.
declare module 'class-transformer/cjs/storage.js' {
  interface Found {
    readonly propertyName: string | undefined;
    readonly typeFunction?: () => unknown;
    readonly options?: { readonly discriminator?: unknown; readonly name?: string } | undefined;
  }

  export const defaultMetadataStorage: {
    findTypeMetadata(target: object, member: string): Found | undefined;
    findExposeMetadata(target: object, member: string): Found | undefined;
    findExcludeMetadata(target: object, member: string): Found | undefined;
    /** `transformation` 0: plain data to instances. */
    findTransformMetadatas(target: object, member: string, transformation: 0): readonly Found[];
  };
}
