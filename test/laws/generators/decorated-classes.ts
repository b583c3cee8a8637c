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

@Tool({ description: 'Reads files.', effects: 'read' })
class ReadFiles {
  @ArrayOf(String)
  @PathField()
  @ArrayMaxSize(5)
  @Alias('file_path', 'file')
  @Describe('Where.')
  paths!: string[];
  @IsOptional() @IsInt() @Min(0) offset?: number;
  @IsOptional() @IsInt() @Min(1) @Max(2000) @PairedDefault('offset', 0) limit?: number;
  @IsOptional() @IsString() @Secret() password?: string;

  execute(): void {}
}

class Edit {
  @IsString() @Verbatim() find!: string;
  @IsString() @Verbatim() replace!: string;
}

@Tool({ description: 'Edits a file.', effects: 'destructive' })
class EditFile {
  @IsString() @PathField() path!: string;
  @ArrayOf(() => Edit) edits!: Edit[];
  @IsIn(['once', 'every_time']) @Default('once') mode!: string;

  @Check() hasChanges(): true | string {
    return this.edits.every(({ find, replace }) => find !== replace) || 'find and replace are equal';
  }

  execute(): void {}
}

class Owner {
  @IsString() @IsEmail() email!: string;
  @IsOptional() @IsString() @MaxLength(20) name?: string;
}

@Tool({ description: 'Files a report.' })
class FileReport {
  @Nested(() => Owner) owner!: Owner;
  @RecordOf(String) labels!: Record<string, string>;
  @TupleOf(Number, Number) range!: [number, number];
  @Nullable() @IsString() parent!: string | null;
  @IsOptional() @IsBoolean() isFinal?: boolean;

  execute(): void {}
}

/** Contracts of decorated classes. */
export const classContracts: fc.Arbitrary<ContractAndValue> = fc
  .tuple(fc.constantFrom(...[ReadFiles, EditFile, FileReport].map((Class) => contractOf(Class))), fc.nat())
  .map(([contract, seed]) => withValue(contract, contract.inputSchema, seed))
  .filter((found) => found !== undefined);
