import {
  Allow,
  ArrayContains,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotContains,
  ArrayNotEmpty,
  ArrayUnique,
  Equals,
  IsArray,
  IsBoolean,
  IsDate,
  IsDefined,
  IsDivisibleBy,
  IsEmpty,
  IsEnum,
  IsIn,
  IsInstance,
  IsInt,
  IsLatitude,
  IsLongitude,
  IsNegative,
  IsNotEmpty,
  IsNotEmptyObject,
  IsNotIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  Max,
  MaxDate,
  Min,
  MinDate,
  NotEquals,
  Validate,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import { Nested } from 'toolmend';
import { row, type DecoratorRow } from './decorator-row.ts';

enum Letter {
  A = 'a',
  B = 'b',
}

enum Level {
  Low,
  High,
}

class Point {
  @IsInt()
  x!: number;
}

@ValidatorConstraint({ name: 'isEven' })
class IsEven {
  validate(value: unknown): boolean {
    return typeof value === 'number' && value % 2 === 0;
  }
}

const isShort = { name: 'isShort', validator: { validate: (value: unknown) => String(value).length < 3 } };

const text = IsString();
const number = IsNumber();
const texts = [IsArray(), IsString({ each: true })] as const;
const object = IsObject();

export const valueRows: readonly DecoratorRow[] = [
  row('@IsString()', text, { passes: ['', 'a', 'é'], fails: [1, true, [], {}, null] }),
  row('@IsBoolean()', IsBoolean(), { passes: [true, false], fails: ['true', 0, 1, null] }),
  row('@IsInt()', IsInt(), { passes: [0, -1, 5], fails: [1.5, '1', true, null] }),
  row('@IsNumber()', number, { passes: [0, 1.5, -3], fails: ['1', true, null, []] }),
  row('@IsNumber({ maxDecimalPlaces: 2 })', IsNumber({ maxDecimalPlaces: 2 }), {
    passes: [1, 1.25],
    fails: [1.255, '1'],
  }),
  row('@Min(1)', Min(1), { passes: [1, 1.5], fails: [0, 0.9, '2'] }),
  row('@Max(5)', Max(5), { passes: [5, -1], fails: [5.1, 6, '1'] }),
  row('@IsPositive()', IsPositive(), { passes: [0.1, 3], fails: [0, -1, '1'] }),
  row('@IsNegative()', IsNegative(), { passes: [-0.1], fails: [0, 1, '-1'] }),
  row('@IsDivisibleBy(3)', IsDivisibleBy(3), { passes: [0, 3, -9], fails: [1, 3.5, '3'] }),
  row('@IsLatitude()', IsLatitude(), { passes: [0, 90, -89.5], fails: [91, -90.5] }, number),
  row('@IsLongitude()', IsLongitude(), { passes: ['180', '-1.5'], fails: ['181', 'x', ''] }, text),
  row('@IsDate()', IsDate(), {
    passes: ['2024-02-29T10:00:00Z', '2024-01-01T10:00:00.5+02:00'],
    fails: ['', 'soon', '2024-02-29T25:00:00Z', '2016-12-31T23:59:60Z', true],
    stricter: ['2024-02-29', '0'],
  }),
  row('@MinDate(new Date(0))', MinDate(new Date(0)), {
    passes: ['1970-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
    fails: ['1969-12-31T23:59:59Z', ''],
    stricter: ['0'],
  }),
  row(
    '@MaxDate(() => new Date(0))',
    MaxDate(() => new Date(0)),
    {
      passes: ['1970-01-01T00:00:00Z'],
      fails: ['2024-01-01T00:00:00Z', 'x'],
    },
  ),
  row('@IsEnum(Letter)', IsEnum(Letter), { passes: ['a', 'b'], fails: ['A', 'c', 0] }),
  row('@IsEnum(Level)', IsEnum(Level), { passes: [0, 1], fails: [2, '0', 'low'], stricter: ['Low', 'High'] }),
  row("@IsIn(['a', 1])", IsIn(['a', 1]), { passes: ['a', 1], fails: ['1', 'b', 2] }),
  row("@IsIn(['a', null])", IsIn(['a', null]), { passes: ['a', null], fails: ['', 'null'] }),
  row("@IsNotIn(['a'])", IsNotIn(['a']), { passes: ['b', ''], fails: ['a', 1] }, text),
  row("@Equals('a')", Equals('a'), { passes: ['a'], fails: ['b', '', 1] }),
  row("@NotEquals('a')", NotEquals('a'), { passes: ['b', ''], fails: ['a', 1] }, text),
  row('@IsEmpty()', IsEmpty(), { passes: [''], fails: ['a', ' '] }, text),
  row('@IsNotEmpty()', IsNotEmpty(), { passes: ['a', ' '], fails: [''] }, text),
  row(
    '@IsNotEmpty() on a list',
    IsNotEmpty(),
    { passes: [['a']], fails: ['a', [1]], stricter: [[]] },
    ...texts,
  ),
  row('@IsDefined()', IsDefined(), { passes: ['a', ''], fails: [null] }, text),
  row('@IsOptional()', IsOptional(), { passes: ['a', undefined], fails: [1], stricter: [null] }, text),
  row('@Allow()', Allow(), { passes: ['a'], fails: [1] }, text),
  row('@IsArray()', IsArray(), { passes: [[], ['a']], fails: ['a', {}, [1]] }, IsString({ each: true })),
  row('@ArrayMinSize(1)', ArrayMinSize(1), { passes: [['a']], fails: [[], 'a'] }, ...texts),
  row('@ArrayMaxSize(1)', ArrayMaxSize(1), { passes: [[], ['a']], fails: [['a', 'b'], 'a'] }, ...texts),
  row('@ArrayNotEmpty()', ArrayNotEmpty(), { passes: [['a']], fails: [[], ''] }, ...texts),
  row(
    "@ArrayContains(['a', 'b'])",
    ArrayContains(['a', 'b']),
    {
      passes: [
        ['b', 'a'],
        ['a', 'b', 'c'],
      ],
      fails: [['a'], [], 'ab'],
    },
    ...texts,
  ),
  row(
    "@ArrayNotContains(['a'])",
    ArrayNotContains(['a']),
    { passes: [[], ['b']], fails: [['b', 'a'], 'b'] },
    ...texts,
  ),
  row('@ArrayUnique()', ArrayUnique(), { passes: [[], ['a', 'b']], fails: [['a', 'a'], 'a'] }, ...texts),
  row(
    '@ArrayUnique((text) => text.length)',
    ArrayUnique((value: string) => value.length),
    {
      passes: [['a', 'bb']],
      fails: [
        ['a', 'b'],
        ['a', 'a'],
      ],
    },
    ...texts,
  ),
  row('@IsObject()', object, { passes: [{}, { a: 1 }], fails: [[], 'a', null] }),
  row(
    '@IsNotEmptyObject()',
    IsNotEmptyObject(),
    { passes: [{ a: 1 }, { a: null }], fails: [{}, [], 'a'] },
    object,
  ),
  row(
    '@IsNotEmptyObject({ nullable: false })',
    IsNotEmptyObject({ nullable: false }),
    {
      passes: [{ a: 1 }],
      fails: [{}, { a: null }, 'a'],
    },
    object,
  ),
  row('@IsInstance(Point)', IsInstance(Point), {
    passes: [{ x: 1 }],
    fails: [[], 'a', 1],
    stricter: [{}, { a: 'b' }],
  }),
  row(
    '@ValidateNested()',
    ValidateNested(),
    { passes: [{ x: 1 }], fails: [{ x: 'a' }, {}, 'a'], stricter: [[]] },
    Nested(() => Point),
  ),
  row(
    '@ValidateIf(() => true)',
    ValidateIf(() => true),
    { passes: ['a'], fails: [1, null, undefined] },
    text,
  ),
  row(
    '@ValidateIf(() => false)',
    ValidateIf(() => false),
    {
      passes: ['a', undefined],
      stricter: [0, 1, -1, 1.5, true, false, null, [], ['a'], [1], {}, { x: 1 }, { a: 'b' }],
    },
    text,
  ),
  row('@Validate(IsEven)', Validate(IsEven), { passes: [2, 0], fails: [1, 'a'] }, IsInt()),
  row("@ValidateBy({ name: 'isShort', … })", ValidateBy(isShort), { passes: ['ab'], fails: ['abc'] }, text),
];
