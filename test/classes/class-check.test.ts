import {
  ArrayNotContains,
  ArrayUnique,
  IsDate,
  IsEmail,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  IsStrongPassword,
  IsUppercase,
  Matches,
  MaxDate,
  Min,
  MinLength,
  NotContains,
  Validate,
  ValidateBy,
  ValidateIf,
  ValidatorConstraint,
} from 'class-validator';
import {
  ArrayOf,
  Check,
  Default,
  Field,
  Nested,
  Nullable,
  Secret,
  Tool,
  contractOf,
  interpret,
  nullable,
} from 'toolmend';
import { freezeDeep } from '../../src/collections/objects.ts';
import { type JsonObject } from '../../src/json/value.ts';
import type { CheckFailure, Constructor } from '../../src/tool/tool-contract.ts';
import { thrower } from '../tools.ts';
import { description, toolWithFields } from './sample-tool.ts';

const failuresOf = (Class: Constructor, value: JsonObject): readonly CheckFailure[] | undefined =>
  contractOf(Class).check?.(value);

const broken = (path: string, check: string, cause: unknown) => {
  const message = `could not be checked: ${check} failed`;
  return { path, check, message, cause };
};

test('a class whose schema says everything has no check', () => {
  const fields = { n: [IsInt(), Min(1)], text: [IsOptional(), IsString(), MinLength(2)] };
  const contract = contractOf(toolWithFields('Plain', fields));
  expect([contract.check, contract.sentences]).toEqual([undefined, undefined]);
});

class Contact {
  @IsEmail() mail!: string;
}

const tooLate = '$property is after $constraint1, being $value';

@Tool({ description })
class Invite {
  @ArrayOf(() => Contact) people!: Contact[];
  @IsOptional() @IsString({ each: true }) @IsUppercase({ each: true }) 'a/b'?: string[];
  @IsOptional() @Nullable() @IsUppercase() code?: string | null;
  @IsOptional() @ArrayOf(nullable(String)) @IsUppercase({ each: true }) codes?: (string | null)[];
  @IsOptional() @IsDate() @MaxDate(new Date(0), { message: tooLate }) at?: Date;
  @Default('A') @IsUppercase() mode!: string;
  @IsInt() @Default(3) least!: number;
  constructor() {
    throw new Error('no constructor is called');
  }
  execute(): void {}
  @Check() enough(): true | string {
    return this.people.length <= this.least || `At most ${this.least} people.`;
  }
}

describe("class-validator's checks", () => {
  const failure = (path: string, check: string, message: string): CheckFailure => ({
    path,
    check,
    message,
  });
  const [ada, nobody] = [{ mail: 'a@b.co' }, { mail: 'b' }];
  const at = '1960-01-01T00:00:00Z';
  const valid = { people: [ada], 'a/b': ['A'], code: null, codes: [null, 'A'], at };
  const invalid = { people: [ada, nobody], 'a/b': ['A', 'b'], code: 'a', codes: ['b', null] };

  test('report the JSON Pointer, the check and its sentence', () => {
    expect(failuresOf(Invite, valid)).toEqual([]);
    expect(failuresOf(Invite, invalid)).toEqual([
      failure('/a~1b/1', 'isUppercase', 'each value in a/b must be uppercase'),
      failure('/code', 'isUppercase', 'code must be uppercase'),
      failure('/codes/0', 'isUppercase', 'each value in codes must be uppercase'),
      failure('/people/1/mail', 'isEmail', 'mail must be an email'),
    ]);
  });

  test('fill in the placeholders of an own message, and reject a date that does not exist', () => {
    const after = failure('/at', 'maxDate', 'at is after 1970-01-01T00:00:00.000Z, being $value');
    expect(failuresOf(Invite, { people: [], at: '2024-01-01T00:00:00Z' })).toEqual([after]);
    const failures = failuresOf(Invite, { people: [], at: '2016-12-31T23:59:60Z' });
    expect(failures).toContainEqual(failure('/at', 'isDate', 'must be a date that exists'));
  });
});

describe('@Check', () => {
  const people = Array.from({ length: 4 }, () => ({ mail: 'a@b.co' }));

  test('checks the object with its defaults, if its fields are valid', () => {
    const failure = { path: '', check: 'enough', message: 'At most 3 people.' };
    expect(failuresOf(Invite, { people })).toEqual([failure]);
    expect(failuresOf(Invite, { people, least: 4 })).toEqual([]);
    const invalid = failuresOf(Invite, { people: [...people, { mail: 'x' }] });
    expect(invalid).toMatchObject([{ check: 'isEmail' }]);
  });

  test('runs in nested classes, inherited and overridden', () => {
    class Range {
      @IsInt() from!: number;
      @IsInt() to!: number;
      @Check() ordered(): true | string {
        return 'never: it is overridden';
      }
    }
    class Wide extends Range {
      @Check() wide(): true | string {
        return this.to - this.from > 1 || 'must span more than one';
      }
      override ordered(): true | string {
        return this.from <= this.to || 'other words';
      }
    }
    const Cut = toolWithFields('Cut', { range: [Nested(() => Wide)] });
    expect(failuresOf(Cut, { range: { from: 1, to: 9 } })).toEqual([]);
    expect(failuresOf(Cut, { range: { from: 2, to: 1 } })).toEqual([
      { path: '/range', check: 'ordered', message: 'other words' },
      { path: '/range', check: 'wide', message: 'must span more than one' },
    ]);
  });

  test('accepts only true; an exception is kept for the developer', () => {
    const problem = new Error('internal detail');
    class Strange {
      @IsInt() n!: number;
      execute(): void {}
      throws(): true | string {
        throw problem;
      }
      says(): unknown {
        return this.n === 2 ? Promise.reject(problem) : [undefined, '', problem, false][this.n];
      }
    }
    for (const name of ['throws', 'says'])
      Check()(Strange.prototype, name, { value: Reflect.get(Strange.prototype, name) });
    Tool({ description })(Strange);
    const instead =
      ': return true if the arguments are right, else the sentence that the model reads';
    const results = [
      `undefined${instead}`,
      `an empty string${instead}`,
      'a promise',
      `false${instead}`,
    ];
    for (const [n, result] of results.entries()) {
      const cause = new TypeError(`the check says returned ${result}`);
      expect(failuresOf(Strange, { n })).toEqual([
        broken('', 'throws', problem),
        broken('', 'says', cause),
      ]);
    }
  });
});

describe('conditions', () => {
  const problem = new Error('internal detail');
  const isKind = (kind: string) => (payment: { readonly kind: string }) => payment.kind === kind;
  const failing = (payment: { readonly kind: string }) =>
    isKind('broken')(payment) && thrower(problem)();
  const Payment = toolWithFields('Payment', {
    kind: [IsString()],
    card: [ValidateIf(isKind('card')), IsString(), MinLength(4)],
    bank: [IsOptional(), IsString(), IsUppercase({ validateIf: isKind('bank') })],
    note: [ValidateIf(failing), IsString()],
  });

  test.each<[string, JsonObject, readonly string[]]>([
    ['an absent field, if its condition does not hold', { kind: 'cash' }, []],
    ['a constraint, if its condition does not hold', { kind: 'cash', card: '1' }, []],
    ['a valid value', { kind: 'card', card: '1234' }, []],
    ['a constraint, if its condition holds', { kind: 'card', card: '1' }, ['/card minLength']],
    [
      'an absent field, if its condition holds',
      { kind: 'card' },
      ['/card minLength', '/card isString'],
    ],
    ["one decorator, if its own condition doesn't hold", { kind: 'cash', bank: 'abc' }, []],
    [
      'one decorator, if its own condition holds',
      { kind: 'bank', bank: 'abc' },
      ['/bank isUppercase'],
    ],
    [
      'a condition that throws, which counts as one that holds',
      { kind: 'broken' },
      ['/note isString'],
    ],
  ])('are checked for %s', (_title, sent, failures) => {
    const found = failuresOf(Payment, sent);
    expect(found?.map(({ path, check }) => `${path} ${check}`)).toEqual(failures);
    if (sent['kind'] === 'broken') expect(found).toEqual([broken('/note', 'isString', problem)]);
  });
});

describe('own validators', () => {
  type Context = { readonly constraints: readonly unknown[]; readonly targetName: string };

  @ValidatorConstraint({ name: 'isKnown' })
  class IsKnown {
    validate(value: unknown, context?: Context): boolean {
      if (value === 'throws') throw new Error('internal detail');
      return context?.constraints.includes(value) ?? false;
    }
    defaultMessage(context?: Context): string {
      return `${context?.targetName}.$property must be one of $constraint1 and $constraint2, not $value`;
    }
  }

  const validator = { validate: () => Promise.reject(new Error('never awaited')) };
  const Pick = toolWithFields('Pick', {
    name: [IsOptional(), IsString(), Validate(IsKnown, ['a', 'b'])],
    later: [IsOptional(), IsString(), ValidateBy({ name: 'eventually', validator })],
    words: [IsOptional(), ArrayOf(String), ArrayUnique((text: string) => text.toLowerCase())],
    any: [IsOptional(), Field({ type: Object })],
  });

  test('run with their parameters', () => {
    expect(failuresOf(Pick, { name: 'a', words: ['a', 'b'] })).toEqual([]);
    expect(failuresOf(Pick, { name: '$property', words: ['a', 'A'] })).toEqual([
      {
        path: '/name',
        check: 'isKnown',
        message: 'Pick.name must be one of a and b, not $property',
      },
      { path: '/words', check: 'arrayUnique', message: "All words's elements must be unique" },
    ]);
  });

  test('read the instance, and the message of another check names its class', () => {
    const readObjects: unknown[] = [];
    const validate = (_value: unknown, context?: { readonly object: object }): boolean => {
      readObjects.push(context?.object);
      return true;
    };
    const Seen = toolWithFields('Seen', {
      by: [IsString(), ValidateBy({ name: 'isOfClass', validator: { validate } })],
    });
    expect(failuresOf(Seen, { by: 'x' })).toEqual([]);
    expect(readObjects).toEqual([expect.any(Seen)]);
    const Shout = toolWithFields('Shout', {
      word: [IsString(), IsUppercase({ message: '$target.$property is $value' })],
    });
    expect(failuresOf(Shout, { word: 'A' })).toEqual([]);
    expect(failuresOf(Shout, { word: 'a' })).toEqual([
      { path: '/word', check: 'isUppercase', message: 'Shout.word is a' },
    ]);
  });

  test('accept nothing if they throw or return a promise', () => {
    const promise = new TypeError('the check eventually returned a promise');
    expect(failuresOf(Pick, { name: 'throws', later: 'x' })).toEqual([
      broken('/name', 'isKnown', new Error('internal detail')),
      broken('/later', 'eventually', promise),
    ]);
  });

  test('get copies of what a model sent', () => {
    expect(failuresOf(Pick, freezeDeep({ any: { deep: [1] }, name: 'a' }))).toEqual([]);
  });
});

/** Own validators that are named like class-validator's. */
const namesakes: readonly [
  name: string,
  constraints: readonly unknown[],
  validate: (value: unknown, object: object) => boolean,
  accepted: JsonObject,
  refused: JsonObject,
][] = [
  [
    'isUppercase',
    [],
    (value, object) => Reflect.get(object, 'mode') !== 'safe' || value === 'OK',
    { tag: 'OK' },
    { tag: 'bad' },
  ],
  ['isNotIn', [['a']], (value) => value !== 'b', { tag: 'a' }, { tag: 'b' }],
  ['isNotEmpty', [], (value) => String(value).trim() !== '', { tag: 'a' }, { tag: ' ' }],
  ['minLength', [9], (value) => value === 'abc', { tag: 'abc' }, { tag: 'abcdefghi' }],
  ['isPositive', [], (value) => value === 'plus', { tag: 'plus' }, { tag: 'minus' }],
  ['isDefined', [], (value) => value !== 'none', { tag: 'a' }, { tag: 'none' }],
  [
    'matches',
    ['mode'],
    (value, object) => value === Reflect.get(object, 'mode'),
    { mode: 'p', tag: 'p' },
    { mode: 'p', tag: 'mode' },
  ],
];

describe.each(namesakes)(
  'an own validator that is named %s',
  (name, constraints, validate, accepted, refused) => {
    test.each(['own words', '$property should not be empty', undefined])(
      'with the message %s runs, and its name adds nothing to the schema',
      (words) => {
        const tag = ValidateBy({
          name,
          constraints: [...constraints],
          validator: {
            validate: (value, context) => validate(value, context?.object ?? {}),
            ...(words === undefined ? {} : { defaultMessage: () => words }),
          },
        });
        const Sample = toolWithFields('Sample', {
          mode: [IsString(), Default('safe')],
          tag: [IsString(), tag],
        });
        const contract = contractOf(Sample);

        expect(contract.inputSchema.properties?.['tag']).toEqual({ type: 'string' });
        expect(interpret(contract, { arguments: accepted }).status).toBe('unchanged');
        expect(interpret(contract, { arguments: refused }).status).toBe('rejected');
      },
    );
  },
);

test('an own validator takes nothing from the decorator that has its name', () => {
  const isEven = { validate: (value: unknown) => Number(value) % 2 === 0 };
  const Sample = toolWithFields('Sample', {
    own: [IsInt(), ValidateBy({ name: 'isEnum', validator: isEven })],
    letter: [IsEnum({ A: 'a', B: 'b' })],
  });
  expect(contractOf(Sample).inputSchema.properties).toMatchObject({
    own: { type: 'integer' },
    letter: { enum: ['a', 'b'] },
  });
});

test('null passes what refuses only parts of strings or elements of arrays', () => {
  const Sample = toolWithFields('Sample', {
    text: [IsString(), Nullable(), NotContains('a')],
    list: [ArrayOf(String), Nullable(), ArrayNotContains(['a'])],
  });
  const contract = contractOf(Sample);

  expect(interpret(contract, { arguments: { text: null, list: null } })).toMatchObject({
    status: 'unchanged',
    value: { text: null, list: null },
  });
  expect(interpret(contract, { arguments: { text: 'xa', list: ['x'] } }).status).toBe('rejected');
  expect(interpret(contract, { arguments: { text: 'x', list: ['a'] } }).status).toBe('rejected');
});

test('no message repeats a secret', () => {
  class Login {
    @Secret() @IsString() @IsStrongPassword({}, { message: 'weak: $value' }) password!: string;
    @Secret() @ArrayOf(String) keys!: string[];
    @Check()
    differ(): true | string {
      return !this.keys.includes(this.password) || `${this.password} is one of ${this.keys.join()}`;
    }
  }
  const SignIn = toolWithFields('SignIn', { login: [Nested(() => Login)] });
  const messageOf = (password: string, ...keys: string[]) =>
    failuresOf(SignIn, { login: { password, keys } })?.map(({ message }) => message);
  expect(messageOf('canary')).toEqual(['weak: [secret]']);
  expect(messageOf('aB3$efgh', 'aB3$efgh', 'aB3')).toEqual([
    '[secret] is one of [secret],[secret]',
  ]);
});

const linesOf = (Class: Constructor, sent: JsonObject): readonly string[] => {
  const result = interpret(contractOf(Class), { arguments: sent });
  return result.status === 'rejected' ? result.message.split('\n') : [result.status];
};

describe('the message of a failed check', () => {
  @Tool({ description })
  class Deploy {
    @IsString() env!: string;
    @IsInt() replicas!: number;
    @IsOptional() @IsUppercase() contact?: string;
    @Check() enough(): true | string {
      return (
        this.env !== 'production' || this.replicas > 1 || 'Production needs at least two replicas.'
      );
    }
    @Check() sound(): true | string {
      if (this.replicas > 99 || this.contact === 'NOBODY') throw new Error('a bug');
      return true;
    }
    execute(): void {}
  }
  const bug = { env: 'test', replicas: 100 };
  const valid = { env: 'test', replicas: 1 };
  const few = { ...valid, env: 'production' };
  const interpreted = (sent: JsonObject, failedBefore = 0) =>
    interpret(contractOf(Deploy), { arguments: sent }, { failedBefore });

  test('has the author’s sentence, after the field that it is about', () => {
    expect(linesOf(Deploy, valid)).toEqual(['unchanged']);
    expect(linesOf(Deploy, few)).toContain('- Production needs at least two replicas.');
    expect(linesOf(Deploy, { ...valid, contact: 'x' })).toContain(
      '- contact: contact must be uppercase.',
    );
  });

  test('is that of an internal error if the check throws; the cause is kept for the developer', () => {
    expect(linesOf(Deploy, bug)).toEqual([
      'deploy was not executed.',
      'An internal error occurred.',
    ]);
    for (const failedBefore of [0, 1]) {
      const rejected = interpreted(bug, failedBefore);
      const issues = [{ keyword: 'broken_check', path: '' }];
      expect(rejected).toMatchObject({ issues, causes: [new Error('a bug')] });
      expect(Object.keys(rejected)).not.toContain('causes');
    }
    for (const rejected of [interpreted({}, 1), interpreted(few)])
      expect(Object.hasOwn(rejected, 'causes')).toBe(false);
  });

  test('has only the sentence of another check, which may be why one threw', () => {
    const issues = [
      { keyword: 'check', path: '', advice: 'Production needs at least two replicas.' },
    ];
    const rejected = interpreted({ ...few, contact: 'NOBODY' });
    expect(rejected).toMatchObject({ issues, causes: [new Error('a bug')] });
  });

  class Step {
    @IsString() code!: string;
    @IsInt() n!: number;
  }
  class CheckedStep extends Step {
    @Check() coded(): true | string {
      return this.code.startsWith('A') || 'The code starts with A.';
    }
  }
  @Tool({ description })
  class Plan {
    @ArrayOf(() => Step) free!: Step[];
    @ArrayOf(() => CheckedStep) steps!: CheckedStep[];
    @IsOptional() @Nested(() => CheckedStep) first?: CheckedStep;
    @IsOptional() @Nested(() => Step) last?: Step;
    @Check() planned(): true | string {
      return this.free.length > 5 || 'A plan has more than five steps.';
    }
    execute(): void {}
  }
  const wrong = { code: 'Ab', n: 'x' };
  const right = { code: 'Ab', n: 1 };

  test.each<[string, JsonObject, string | undefined]>([
    [
      'in an array without checks',
      { free: [wrong], steps: [right] },
      'free[0]: {"code":"…","n":1}',
    ],
    [
      'in an array with a check that refuses it',
      { free: [right], steps: [right, wrong] },
      undefined,
    ],
    [
      'in an object with a check that refuses it',
      { free: [right], steps: [], first: wrong },
      undefined,
    ],
    [
      'in an object without checks',
      { free: [right], steps: [], last: wrong },
      'last: {"code":"…","n":1}',
    ],
  ])('has an example %s', (_title, sent, example) => {
    const line = linesOf(Plan, sent).find((one) => one.startsWith('Example'));
    expect(line).toBe(example && `Example at ${example}`);
  });
});

describe('an own message of a constraint that the schema expresses', () => {
  class Label {
    @MinLength(3, { message: 'a label like "bug" has $constraint1 letters' }) name!: string;
  }
  const OpenIssue = toolWithFields('OpenIssue', {
    title: [
      MinLength(3, { message: '$property is too short: "$value"' }),
      Matches(/^[a-z ]+$/u, { message: () => 'write the title in small letters' }),
    ],
    priority: [
      IsInt({ message: 'it is a number' }),
      Min(1, { message: 'the highest priority is 1' }),
    ],
    tags: [
      IsOptional(),
      ArrayOf(String),
      MinLength(2, { each: true, message: 'tags have two letters' }),
    ],
    label: [IsOptional(), Nested(() => Label)],
    plain: [IsOptional(), MinLength(3)],
    password: [IsOptional(), Secret(), MinLength(8, { message: '"$value" is no password' })],
  });
  const valid = { title: 'a bug', priority: 1 };
  const ofPriority = 'the highest priority is 1; it is a number';
  const ofTitle = 'write the title in small letters; title is too short: ';
  const ofLabel = 'a label like "bug" has 3 letters';
  const ofOtherTypes = { title: `${ofTitle}"$value"`, priority: ofPriority, label: undefined };
  const otherTypes = { title: [1, 2], priority: { a: 1 }, label: 5 };

  test.each<[string, JsonObject, Readonly<Record<string, string | undefined>>]>([
    ['is absent if nothing is wrong', valid, {}],
    [
      'has its placeholders filled in',
      { ...valid, title: 'ab' },
      { title: 'title is too short: "ab"' },
    ],
    [
      'comes with others after what the schema expects',
      { ...valid, title: 'A' },
      { title: `${ofTitle}"A"` },
    ],
    ['comes for a missing field', { title: 'a bug' }, { priority: ofPriority }],
    [
      'comes for an element',
      { ...valid, tags: ['ab', 'c'] },
      { 'tags[1]': 'tags have two letters' },
    ],
    ['comes for a nested class', { ...valid, label: { name: 'x' } }, { 'label.name': ofLabel }],
    ['is not made up', { ...valid, plain: 'x' }, { plain: undefined }],
    ['hides secrets', { ...valid, password: 'hunter2' }, { password: '"[secret]" is no password' }],
    ['comes for values of other types', otherTypes, ofOtherTypes],
  ])('%s', (_title, sent, expected) => {
    const lines = linesOf(OpenIssue, sent).filter((line) => line.startsWith('- '));
    const read = lines.map((line) =>
      /^- ([\w.[\]]+)(?: is missing)?: [^;]*(?:; (.*))?\.$/.exec(line)?.slice(1),
    );
    expect(read).toEqual(Object.entries(expected));
    expect(lines.join()).not.toContain('hunter2');
  });
});
