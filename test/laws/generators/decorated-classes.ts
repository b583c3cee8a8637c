// Which tool classes are tried? The decorators are called as functions: Node runs no decorators.
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
  type JsonObject,
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
import type { ContractAndValue } from './contracts.ts';

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
decorate(Edit, {
  find: [IsString(), Verbatim()],
  replace: [IsString(), Verbatim()],
});

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
decorate(Owner, {
  email: [IsString(), IsEmail()],
  name: [IsOptional(), IsString(), MaxLength(20)],
});

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

const file = fc.constantFrom('a.ts', 'src/b c.md', 'C:\\x\\y.txt', '[id].tsx');
const text = fc.constantFrom('', 'null', '5', '[1, 2]', '{"a": 1}', 'two\nlines', "it's");

const sent = {
  ReadFiles: fc.record(
    {
      paths: fc.array(file, { maxLength: 3 }),
      offset: fc.nat(9),
      limit: fc.integer({ min: 1, max: 2000 }),
      password: text,
    },
    { requiredKeys: ['paths'] },
  ),
  EditFile: fc.record({
    path: file,
    edits: fc.array(
      text.map((find) => ({ find, replace: `${find}!` })),
      { maxLength: 2 },
    ),
    mode: fc.constantFrom('once', 'every_time'),
  }),
  FileReport: fc.record(
    {
      owner: fc.record({ email: fc.constant('ada@example.com'), name: text }, { requiredKeys: ['email'] }),
      labels: fc.dictionary(fc.constantFrom('a', 'A', 'x-y'), text),
      range: fc.tuple(fc.nat(9), fc.nat(9)),
      parent: fc.option(text),
      isFinal: fc.boolean(),
    },
    { requiredKeys: ['owner', 'labels', 'range', 'parent'] },
  ),
};

const contractsWith = (
  Class: new () => object,
  values: fc.Arbitrary<JsonObject>,
): fc.Arbitrary<ContractAndValue> => {
  const contract = contractOf(Class);
  return values.map((value) => ({ contract, schema: contract.inputSchema, value }));
};

/** Contracts of decorated classes. A limit comes with its offset: the pair would be filled. */
export const classContracts: fc.Arbitrary<ContractAndValue> = fc.oneof(
  contractsWith(ReadFiles, sent.ReadFiles).map((found) =>
    'limit' in found.value ? { ...found, value: { offset: 0, ...found.value } } : found,
  ),
  contractsWith(EditFile, sent.EditFile),
  contractsWith(FileReport, sent.FileReport),
);
