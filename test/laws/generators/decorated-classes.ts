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
} from 'class-validator';
import { fc } from '../../seeded-fast-check.ts';
import { sampleClasses } from '../../adapters/contract/sample-tools.ts';
import {
  ArrayOf,
  Check,
  contractOf,
  Default,
  Describe,
  Nested,
  PathField,
  Tool,
  TupleOf,
  Verbatim,
} from 'toolmend';
import { type ContractAndValue, withValue } from './contracts.ts';

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
    return (
      this.edits.every(({ find, replace }) => find !== replace) || 'find and replace are equal'
    );
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
  @ArrayOf(String) @ArrayMaxSize(5) @Describe('Which.') ids!: string[];
  @TupleOf(Number, Number) range!: [number, number];
  @IsOptional() @IsInt() @Max(2000) year?: number;
  @IsOptional() @IsBoolean() isFinal?: boolean;
  execute(): void {}
}

/** Contracts of decorated classes. */
export const classContracts: fc.Arbitrary<ContractAndValue> = fc
  .tuple(
    fc.constantFrom(...[...sampleClasses, EditFile, FileReport].map((Class) => contractOf(Class))),
    fc.nat(),
  )
  .map(([contract, seed]) => withValue(contract, contract.inputSchema, seed))
  .filter((found) => found !== undefined);
