import * as cv from 'class-validator';
import { Nested } from 'toolmend';

/** A decorator of class-validator with values to try. */
export interface DecoratorRow {
  /** `@Min(1)`, without the decorators that give the field its type. */
  readonly written: string;
  /** The decorator, after those that give the field its type. */
  readonly decorators: readonly PropertyDecorator[];
  readonly passes: readonly unknown[];
  readonly fails: readonly unknown[];
  /** Values that class-validator accepts, unlike a tool. */
  readonly stricter: readonly unknown[];
}

const row = (
  written: string,
  decorators: readonly PropertyDecorator[],
  passes: readonly unknown[],
  fails: readonly unknown[],
  stricter: readonly unknown[] = [],
): DecoratorRow => ({ written, decorators, passes, fails, stricter });

enum Letter {
  A = 'a',
  B = 'b',
}

enum Level {
  Low,
  High,
}

class Point {
  @cv.IsInt()
  x!: number;
}

@cv.ValidatorConstraint({ name: 'isEven' })
class IsEven {
  validate(value: unknown): boolean {
    return typeof value === 'number' && value % 2 === 0;
  }
}

const isShort = {
  name: 'isShort',
  validator: { validate: (value: unknown) => String(value).length < 3 },
};

const string = cv.IsString();
const number = cv.IsNumber();
const strings = [cv.IsArray(), cv.IsString({ each: true })] as const;
const object = cv.IsObject();
const notEmpty = cv.IsNotEmptyObject({ nullable: false });
const nested = [Nested(() => Point)] as const;
const epoch = new Date(0);
const byLength = cv.ArrayUnique((value: string) => value.length);
const notStrings = [0, 1, -1, 1.5, true, false, null, [], ['a'], [1], {}, { x: 1 }, { a: 'b' }];
const day = '2024-02-29';
const startOf1970 = '1970-01-01T00:00:00Z';

const valueRows: readonly DecoratorRow[] = [
  row('@IsString()', [string], ['', 'a', 'é'], [1, true, [], {}, null]),
  row('@IsBoolean()', [cv.IsBoolean()], [true, false], ['true', 0, 1, null]),
  row('@IsInt()', [cv.IsInt()], [0, -1, 5], [1.5, '1', true, null]),
  row('@IsNumber()', [number], [0, 1.5, -3], ['1', true, null, []]),
  row(
    '@IsNumber({ maxDecimalPlaces: 2 })',
    [cv.IsNumber({ maxDecimalPlaces: 2 })],
    [1, 1.25],
    [1.255, '1'],
  ),
  row('@Min(1)', [cv.Min(1)], [1, 1.5], [0, 0.9, '2']),
  row('@Max(5)', [cv.Max(5)], [5, -1], [5.1, 6, '1']),
  row('@IsPositive()', [cv.IsPositive()], [0.1, 3], [0, -1, '1']),
  row('@IsNegative()', [cv.IsNegative()], [-0.1], [0, 1, '-1']),
  row('@IsDivisibleBy(3)', [cv.IsDivisibleBy(3)], [0, 3, -9], [1, 3.5, '3']),
  row('@IsLatitude()', [number, cv.IsLatitude()], [0, 90, -89.5], [91, -90.5]),
  row('@IsLongitude()', [string, cv.IsLongitude()], ['180', '-1.5'], ['181', 'x', '']),
  row(
    '@IsDate()',
    [cv.IsDate()],
    ['2024-02-29T10:00:00Z', '2024-01-01T10:00:00.5+02:00'],
    ['', 'soon', '2024-02-29T25:00:00Z', '2016-12-31T23:59:60Z', true],
    ['2024-02-29', '0'],
  ),
  row(
    '@MinDate(new Date(0))',
    [cv.MinDate(epoch)],
    [startOf1970],
    ['1969-12-31T23:59:59Z', ''],
    ['0'],
  ),
  row(
    '@MaxDate(() => new Date(0))',
    [cv.MaxDate(() => epoch)],
    [startOf1970],
    [`${day}T00:00:00Z`, 'x'],
  ),
  row('@IsEnum(Letter)', [cv.IsEnum(Letter)], ['a', 'b'], ['A', 'c', 0]),
  row('@IsEnum(Level)', [cv.IsEnum(Level)], [0, 1], [2, '0', 'low'], ['Low', 'High']),
  row("@IsIn(['a', 1])", [cv.IsIn(['a', 1])], ['a', 1], ['1', 'b', 2]),
  row("@IsIn(['a', null])", [cv.IsIn(['a', null])], ['a', null], ['', 'null']),
  row("@IsNotIn(['a'])", [string, cv.IsNotIn(['a'])], ['b', ''], ['a', 1]),
  row("@Equals('a')", [cv.Equals('a')], ['a'], ['b', '', 1]),
  row("@NotEquals('a')", [string, cv.NotEquals('a')], ['b', ''], ['a', 1]),
  row('@IsEmpty()', [string, cv.IsEmpty()], [''], ['a', ' ']),
  row('@IsNotEmpty()', [string, cv.IsNotEmpty()], ['a', ' '], ['']),
  row('@IsNotEmpty() on a list', [...strings, cv.IsNotEmpty()], [['a']], ['a', [1]], [[]]),
  row('@IsDefined()', [string, cv.IsDefined()], ['a', ''], [null]),
  row('@IsOptional()', [string, cv.IsOptional()], ['a', undefined], [1], [null]),
  row('@Allow()', [string, cv.Allow()], ['a'], [1]),
  row('@IsArray()', [cv.IsString({ each: true }), cv.IsArray()], [[], ['a']], ['a', {}, [1]]),
  row('@ArrayMinSize(1)', [...strings, cv.ArrayMinSize(1)], [['a']], [[], 'a']),
  row('@ArrayMaxSize(1)', [...strings, cv.ArrayMaxSize(1)], [[], ['a']], [['a', 'b'], 'a']),
  row('@ArrayNotEmpty()', [...strings, cv.ArrayNotEmpty()], [['a']], [[], '']),
  row(
    "@ArrayContains(['a', 'b'])",
    [...strings, cv.ArrayContains(['a', 'b'])],
    [['b', 'a']],
    [['a'], []],
  ),
  row(
    "@ArrayNotContains(['a'])",
    [...strings, cv.ArrayNotContains(['a'])],
    [[], ['b']],
    [['b', 'a'], 'b'],
  ),
  row('@ArrayUnique()', [...strings, cv.ArrayUnique()], [[], ['a', 'b']], [['a', 'a'], 'a']),
  row('@ArrayUnique((text) => text.length)', [...strings, byLength], [['a', 'bb']], [['a', 'b']]),
  row('@IsObject()', [object], [{}, { a: 1 }], [[], 'a', null]),
  row(
    '@IsNotEmptyObject()',
    [object, cv.IsNotEmptyObject()],
    [{ a: 1 }, { a: null }],
    [{}, [], 'a'],
  ),
  row(
    '@IsNotEmptyObject({ nullable: false })',
    [object, notEmpty],
    [{ a: 1 }],
    [{}, { a: null }, 'a'],
  ),
  row('@IsInstance(Point)', [cv.IsInstance(Point)], [{ x: 1 }], [[], 'a', 1], [{}, { a: 'b' }]),
  row(
    '@ValidateNested()',
    [...nested, cv.ValidateNested()],
    [{ x: 1 }],
    [{ x: 'a' }, {}, 'a'],
    [[]],
  ),
  row('@ValidateIf(() => true)', [string, cv.ValidateIf(() => true)], ['a'], [1, null, undefined]),
  row(
    '@ValidateIf(() => false)',
    [string, cv.ValidateIf(() => false)],
    ['a', undefined],
    [],
    notStrings,
  ),
  row('@Validate(IsEven)', [cv.IsInt(), cv.Validate(IsEven)], [2, 0], [1, 'a']),
  row("@ValidateBy({ name: 'isShort', … })", [string, cv.ValidateBy(isShort)], ['ab'], ['abc']),
];

const uuid4 = '936da01f-9abd-4d9d-80c7-02af85c822a8';
const uuid1 = '936da01f-9abd-1d9d-80c7-02af85c822a8';
const heart = '\u2764\uFE0F';
const withProtocol = cv.IsUrl({ require_protocol: true });

const stringRows: readonly DecoratorRow[] = [
  row('@Length(2, 4)', [cv.Length(2, 4)], ['ab', 'abcd', '😀😀'], ['a', 'abcde', '', '😀']),
  row('@MinLength(2)', [cv.MinLength(2)], ['ab'], ['a', '', 2]),
  row('@MaxLength(1)', [cv.MaxLength(1)], ['a', '', '😀'], ['ab'], [heart]),
  row('@Matches(/^a+$/)', [cv.Matches(/^a+$/)], ['a', 'aa'], ['', 'b', 'A', 'ab']),
  row('@Matches(/^.$/)', [cv.Matches(/^.$/)], ['a'], ['😀', 'ab']),
  row('@Matches(/^.$/u)', [cv.Matches(/^.$/u)], ['a', '😀'], ['', 'ab']),
  row('@Matches(/^a+$/i)', [cv.Matches(/^a+$/i)], ['A', 'aA'], ['b', '']),
  row("@Matches('^a', 'i')", [cv.Matches('^a', 'i')], ['Ab'], ['ba']),
  row("@Contains('a.b')", [cv.Contains('a.b')], ['a.b', 'xa.bx'], ['axb', '']),
  row("@NotContains('a.b')", [cv.NotContains('a.b')], ['axb', ''], ['a.b']),
  row('@IsAlpha()', [cv.IsAlpha()], ['aZ'], ['a1', '', 'é']),
  row("@IsAlpha('de-DE')", [cv.IsAlpha('de-DE')], ['aä'], ['a1', '']),
  row('@IsAlphanumeric()', [cv.IsAlphanumeric()], ['a1'], ['a-1', '']),
  row('@IsAscii()', [cv.IsAscii()], ['a!\n'], ['é', '']),
  row('@IsBase32()', [cv.IsBase32()], ['ZG5BQQ2D', 'ZG5BQQ=='], ['ZG5', 'zg5bqq2d', '']),
  row('@IsBase58()', [cv.IsBase58()], ['BukQL', ''], ['0OIl']),
  row('@IsBase64()', [cv.IsBase64()], ['', 'AA==', 'AAA=', 'AAAA'], ['A', 'A===', '====', 'AA=A']),
  row('@IsBase64({ urlSafe: true })', [cv.IsBase64({ urlSafe: true })], ['a-_b', 'AA'], ['a+/b']),
  row('@IsBIC()', [cv.IsBIC()], ['SBICKEN1345'], ['SBIC', '']),
  row(
    '@IsBooleanString()',
    [cv.IsBooleanString()],
    ['true', 'false', '1', '0'],
    ['yes', 'True', ''],
  ),
  row('@IsBtcAddress()', [cv.IsBtcAddress()], ['1MUz4VMYui5qY1mxUiG8BQ1Luv6tqkvaiL'], ['1MU', '']),
  row('@IsByteLength(2, 4)', [cv.IsByteLength(2, 4)], ['ab', 'é', '😀'], ['a', 'ééé', 'abcde']),
  row('@IsCreditCard()', [cv.IsCreditCard()], ['4111111111111111'], ['4111111111111112', '']),
  row('@IsCurrency()', [cv.IsCurrency()], ['$10.50', '10'], ['$ 1x', '']),
  row('@IsDataURI()', [cv.IsDataURI()], ['data:text/plain;base64,SGk='], ['data', '']),
  row(
    '@IsDateString()',
    [cv.IsDateString()],
    ['2024-02-29', '2024-02-29T10:00:00Z', '2024-02-29T10:00:00', '2024-W01-1', '2024-02'],
    ['', 'soon', '29.02.2024', '2024-13-01'],
  ),
  row(
    '@IsDateString({ strict: true })',
    [cv.IsDateString({ strict: true })],
    [day],
    ['2023-02-29', ''],
  ),
  row('@IsISO8601()', [cv.IsISO8601()], ['2024-02-29T10:00'], ['10:00', '']),
  row(
    '@IsRFC3339()',
    [cv.IsRFC3339()],
    [`${day} 10:00:00+01:00`],
    [`${day}T10:00:00`],
    ['2023-02-29T10:00:00Z'],
  ),
  row('@IsDecimal()', [cv.IsDecimal()], ['1.5', '-2'], ['1,5', '']),
  row('@IsEAN()', [cv.IsEAN()], ['9421023610112'], ['9421023610113', '']),
  row(
    '@IsEmail()',
    [cv.IsEmail()],
    ['a.b+c@d-e.org'],
    ['a', 'a@b', '@b.co', ''],
    ['é@b.co', '"a b"@c.de'],
  ),
  row('@IsEthereumAddress()', [cv.IsEthereumAddress()], [`0x${'a'.repeat(40)}`], ['0x', '']),
  row(
    '@IsFirebasePushId()',
    [cv.IsFirebasePushId()],
    ['-M-Jh_1KAH5rYGF_S8-x'],
    ['short', 'a'.repeat(21)],
  ),
  row('@IsFQDN()', [cv.IsFQDN()], ['example.com'], ['example', 'http://a.b', ''], ['bücher.de']),
  row('@IsFullWidth()', [cv.IsFullWidth()], ['ひらがな'], ['abc', '']),
  row('@IsHalfWidth()', [cv.IsHalfWidth()], ['abc'], ['ひ', '']),
  row('@IsVariableWidth()', [cv.IsVariableWidth()], ['ひa'], ['a', 'ひ']),
  row("@IsHash('md5')", [cv.IsHash('md5')], ['d94f3f016ae679c3008de268209132f2'], ['d94f', '']),
  row('@IsHexColor()', [cv.IsHexColor()], ['#fff', 'ABCDEF', '#12345678'], ['#ff', 'red', '']),
  row('@IsHexadecimal()', [cv.IsHexadecimal()], ['dead', '0xBEEF', '0Hff'], ['0x', 'xyz', '']),
  row('@IsHSL()', [cv.IsHSL()], ['hsl(360, 100%, 50%)'], ['hsl', '']),
  row('@IsIBAN()', [cv.IsIBAN()], ['DE89370400440532013000'], ['DE00370400440532013000', '']),
  row("@IsIdentityCard('ES')", [cv.IsIdentityCard('ES')], ['99999999R'], ['99999999A', '']),
  row('@IsIP()', [cv.IsIP()], ['127.0.0.1', '::1'], ['256.0.0.1', 'x', ''], ['fe80::1%eth0']),
  row("@IsIP('4')", [cv.IsIP('4')], ['10.0.0.1'], ['::1', '']),
  row('@IsISBN()', [cv.IsISBN()], ['978-3-16-148410-0'], ['978', '']),
  row('@IsISIN()', [cv.IsISIN()], ['US0378331005'], ['US0378331004', '']),
  row('@IsISO31661Alpha2()', [cv.IsISO31661Alpha2()], ['FR'], ['XX', '']),
  row('@IsISO31661Alpha3()', [cv.IsISO31661Alpha3()], ['FRA'], ['XXX', '']),
  row('@IsISO31661Numeric()', [cv.IsISO31661Numeric()], ['250'], ['000', '']),
  row('@IsISO4217CurrencyCode()', [cv.IsISO4217CurrencyCode()], ['EUR'], ['EURO', '']),
  row('@IsISO6391()', [cv.IsISO6391()], ['de'], ['xx', '']),
  row('@IsISRC()', [cv.IsISRC()], ['USAT29900609'], ['US', '']),
  row('@IsISSN()', [cv.IsISSN()], ['0378-5955'], ['0378-5954', '']),
  row('@IsJSON()', [cv.IsJSON()], ['{"a":1}', '[]'], ['{', '']),
  row('@IsJWT()', [cv.IsJWT()], ['AAAA.AAAA.AAAA'], ['a.b', '']),
  row('@IsLatLong()', [cv.IsLatLong()], ['48.85,2.35'], ['100,2', '']),
  row('@IsLocale()', [cv.IsLocale()], ['de_DE'], ['!', '']),
  row('@IsLowercase()', [cv.IsLowercase()], ['abc', ''], ['aBc']),
  row('@IsUppercase()', [cv.IsUppercase()], ['ABC'], ['aBC']),
  row('@IsMACAddress()', [cv.IsMACAddress()], ['01:02:03:04:05:ab'], ['01:02', '']),
  row(
    '@IsMagnetURI()',
    [cv.IsMagnetURI()],
    [`magnet:?xt=urn:btih:${'0'.repeat(40)}`],
    ['magnet', ''],
  ),
  row('@IsMilitaryTime()', [cv.IsMilitaryTime()], ['23:59', '0000'], ['24:00', '1:00', '']),
  row('@IsMimeType()', [cv.IsMimeType()], ['text/plain'], ['text', '']),
  row("@IsMobilePhone('de-DE')", [cv.IsMobilePhone('de-DE')], ['+4915123456789'], ['1', '']),
  row('@IsMongoId()', [cv.IsMongoId()], ['507f1f77bcf86cd799439011'], ['507f', '', 'g'.repeat(24)]),
  row('@IsMultibyte()', [cv.IsMultibyte()], ['é', 'aé'], ['a', '']),
  row('@IsNumberString()', [cv.IsNumberString()], ['1', '-1.5', '.5'], ['1.', 'a', '']),
  row(
    '@IsNumberString({ no_symbols: true })',
    [cv.IsNumberString({ no_symbols: true })],
    ['12'],
    ['-1', ''],
  ),
  row('@IsOctal()', [cv.IsOctal()], ['17', '0o7'], ['8', '']),
  row("@IsPassportNumber('DE')", [cv.IsPassportNumber('DE')], ['C26VMVVC3'], ['1', '']),
  row("@IsPhoneNumber('DE')", [cv.IsPhoneNumber('DE')], ['+4930123456'], ['1', '']),
  row('@IsPort()', [cv.IsPort()], ['80', '0'], ['65536', '080', '']),
  row("@IsPostalCode('DE')", [cv.IsPostalCode('DE')], ['10115'], ['1011', '']),
  row('@IsRgbColor()', [cv.IsRgbColor()], ['rgb(0,0,0)'], ['rgb', '']),
  row('@IsSemVer()', [cv.IsSemVer()], ['1.2.3-a.1'], ['1.2', '']),
  row('@IsStrongPassword()', [cv.IsStrongPassword()], ['aB3$efgh'], ['abcdefgh', '']),
  row('@IsSurrogatePair()', [cv.IsSurrogatePair()], ['😀'], ['a', '']),
  row("@IsTaxId('de-DE')", [cv.IsTaxId('de-DE')], ['26954371827'], ['1', '']),
  row('@IsTimeZone()', [cv.IsTimeZone()], ['Europe/Berlin'], ['Mars/North', '']),
  row(
    '@IsUrl()',
    [cv.IsUrl()],
    ['https://a.co/a?b=c', 'a.com', 'http://bücher.de'],
    ['x', 'http://a b.de'],
  ),
  row(
    '@IsUrl({ require_protocol: true })',
    [withProtocol],
    ['https://a.com'],
    ['a.com', ''],
    ['http://bücher.de'],
  ),
  row('@IsUUID()', [cv.IsUUID()], [uuid4, uuid1], ['936da01f', '', `urn:uuid:${uuid4}`]),
  row("@IsUUID('4')", [cv.IsUUID('4')], [uuid4, uuid4.toUpperCase()], [uuid1, '']),
];

export const decoratorRows: readonly DecoratorRow[] = [...valueRows, ...stringRows];
