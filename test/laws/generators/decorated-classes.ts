// Decorators are called as functions: Node doesn't run decorators.
import 'reflect-metadata';
import {
  ArrayMaxSize,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { fc } from '../../seeded-fast-check.ts';
import {
  Alias,
  ArrayOf,
  Check,
  contractOf,
  Default,
  Describe,
  Field,
  Nested,
  Nullable,
  PairedDefault,
  PathField,
  RecordOf,
  Secret,
  Tool,
  TupleOf,
  Verbatim,
} from 'toolmend';
import { type ContractAndValue, withValue } from './contracts.ts';

type Fields = Readonly<Record<string, readonly PropertyDecorator[]>>;

function decorate(Class: new () => object, fields: Fields): void {
  for (const [field, decorators] of Object.entries(fields)) {
    for (const decorator of [...decorators, Field()].toReversed()) {
      const apply: (target: object, key: string) => void = decorator;
      apply(Class.prototype, field);
    }
  }
}

class ReadFiles {
  execute(): string {
    return 'done';
  }
}
decorate(ReadFiles, {
  paths: [ArrayOf(String), PathField(), ArrayMaxSize(5), Alias('file_path', 'file'), Describe('Where.')],
  offset: [IsOptional(), IsInt(), Min(0)],
  limit: [IsOptional(), IsInt(), Min(1), Max(2000), PairedDefault('offset', 0)],
  password: [IsOptional(), IsString(), Secret()],
});
Tool({ description: 'Reads files.', effects: 'read' })(ReadFiles);

class Edit {}
decorate(Edit, { find: [IsString(), Verbatim()], replace: [IsString(), Verbatim()] });

class EditFile {
  declare edits: readonly { readonly find: string; readonly replace: string }[];

  execute(): string {
    return 'done';
  }

  hasChanges(): true | string {
    return this.edits.every(({ find, replace }) => find !== replace) || 'find and replace are equal';
  }
}
decorate(EditFile, {
  path: [IsString(), PathField()],
  edits: [ArrayOf(() => Edit)],
  mode: [IsIn(['once', 'every_time']), Default('once')],
});
const method = Object.getOwnPropertyDescriptor(EditFile.prototype, 'hasChanges') ?? {};
Check()(EditFile.prototype, 'hasChanges', method);
Tool({ description: 'Edits a file.', effects: 'destructive' })(EditFile);

class Owner {}
decorate(Owner, { email: [IsString(), IsEmail()], name: [IsOptional(), IsString(), MaxLength(20)] });

class FileReport {
  execute(): string {
    return 'done';
  }
}
decorate(FileReport, {
  owner: [Nested(() => Owner)],
  labels: [RecordOf(String)],
  range: [TupleOf(Number, Number)],
  parent: [Nullable(), IsString()],
  isFinal: [IsOptional(), IsBoolean()],
});
Tool({ description: 'Files a report.' })(FileReport);

/** Contracts of decorated classes. */
export const classContracts: fc.Arbitrary<ContractAndValue> = fc
  .tuple(fc.constantFrom(...[ReadFiles, EditFile, FileReport].map((Class) => contractOf(Class))), fc.nat())
  .map(([contract, seed]) => withValue(contract, contract.inputSchema, seed))
  .filter((found) => found !== undefined);
