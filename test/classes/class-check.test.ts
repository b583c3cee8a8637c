import {
  ArrayUnique,
  IsDate,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  IsStrongPassword,
  IsUppercase,
  Matches,
  MaxDate,
  Min,
  MinLength,
  Validate,
  ValidateIf,
  ValidatorConstraint,
  registerDecorator,
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
import type { JsonObject } from '../../src/json/value.ts';
import type { CheckFailure, Constructor } from '../../src/tool/tool-contract.ts';
import { description } from './sample-tool.ts';

function failuresOf(Class: Constructor, value: JsonObject): readonly CheckFailure[] {
  const { check } = contractOf(Class);
  if (check === undefined) throw new Error('no check');
  return check(value);
}

const broken = (path: string, check: string, cause: unknown) => ({
  path,
  check,
  message: `could not be checked: ${check} failed`,
  cause,
});

test('a class whose schema says everything has no check', () => {
  @Tool({ description })
  class Plain {
    @IsInt() @Min(1) n!: number;
    @IsOptional() @IsString() @MinLength(2) text?: string;
    execute(): void {}
  }
  expect(contractOf(Plain).check).toBeUndefined();
  expect(contractOf(Plain).sentences).toBeUndefined();
});

class Contact {
  @IsEmail() mail!: string;
}

@Tool({ description })
class Invite {
  @ArrayOf(() => Contact) people!: Contact[];
  @IsOptional() @IsString({ each: true }) @IsUppercase({ each: true }) 'a/b'?: string[];
  @IsOptional() @Nullable() @IsUppercase() code?: string | null;
  @IsOptional() @ArrayOf(nullable(String)) @IsUppercase({ each: true }) codes?: (string | null)[];
  @IsOptional()
  @IsDate()
  @MaxDate(new Date(0), { message: '$property is after $constraint1, being $value' })
  at?: Date;
  @Default('A') @IsUppercase() mode!: string;
  @IsInt() @Default(3) least!: number;

  constructor() {
    throw new Error('no constructor may be called');
  }

  execute(): void {}

  @Check()
  enough(): true | string {
    return this.people.length <= this.least || `At most ${this.least} people.`;
  }
}

describe("class-validator's checks", () => {
  test.each<[string, JsonObject, readonly CheckFailure[]]>([
    [
      'pass what is right',
      {
        people: [{ mail: 'a@b.co' }],
        'a/b': ['A'],
        code: null,
        codes: [null, 'A'],
        at: '1960-01-01T00:00:00Z',
      },
      [],
    ],
    [
      'name the JSON Pointer, the check and its sentence',
      { people: [{ mail: 'a@b.co' }, { mail: 'b' }], 'a/b': ['A', 'b'], code: 'a', codes: ['b', null] },
      [
        { path: '/a~1b/1', check: 'isUppercase', message: 'each value in a/b must be uppercase' },
        { path: '/code', check: 'isUppercase', message: 'code must be uppercase' },
        { path: '/codes/0', check: 'isUppercase', message: 'each value in codes must be uppercase' },
        { path: '/people/1/mail', check: 'isEmail', message: 'mail must be an email' },
      ],
    ],
    [
      'fill in the placeholders of an own message',
      { people: [], at: '2024-01-01T00:00:00Z' },
      [{ path: '/at', check: 'maxDate', message: 'at is after 1970-01-01T00:00:00.000Z, being $value' }],
    ],
  ])('%s', (_title, sent, failures) => {
    expect(failuresOf(Invite, sent)).toEqual(failures);
  });

  test('refuse a date that does not exist', () => {
    expect(failuresOf(Invite, { people: [], at: '2016-12-31T23:59:60Z' })).toContainEqual({
      path: '/at',
      check: 'isDate',
      message: 'must be a date that exists',
    });
  });
});

describe('@Check', () => {
  const people = Array.from({ length: 4 }, () => ({ mail: 'a@b.co' }));

  test('has its sentence read for the object as a whole, with defaults filled', () => {
    const failure = { path: '', check: 'enough', message: 'At most 3 people.' };
    expect(failuresOf(Invite, { people })).toEqual([failure]);
    expect(failuresOf(Invite, { people, least: 4 })).toEqual([]);
  });

  test('runs only if the fields are right', () => {
    const failures = failuresOf(Invite, { people: [...people, { mail: 'x' }] });
    expect(failures.map(({ check }) => check)).toEqual(['isEmail']);
  });

  test('runs in nested classes, inherited and overridden', () => {
    class Range {
      @IsInt() from!: number;
      @IsInt() to!: number;
      @Check()
      ordered(): true | string {
        return this.from <= this.to || 'from must not be after to';
      }
    }
    class Wide extends Range {
      @Check()
      wide(): true | string {
        return this.to - this.from > 1 || 'must span more than one';
      }
      override ordered(): true | string {
        return super.ordered() === true || 'other words';
      }
    }
    @Tool({ description })
    class Cut {
      @Nested(() => Wide) range!: Wide;
      execute(): void {}
    }
    expect(failuresOf(Cut, { range: { from: 1, to: 9 } })).toEqual([]);
    expect(failuresOf(Cut, { range: { from: 2, to: 1 } })).toEqual([
      { path: '/range', check: 'ordered', message: 'other words' },
      { path: '/range', check: 'wide', message: 'must span more than one' },
    ]);
  });

  test('passes nothing but true; what it throws is for the developer', () => {
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
    for (const name of ['throws', 'says']) {
      const descriptor = Object.getOwnPropertyDescriptor(Strange.prototype, name);
      Check()(Strange.prototype, name, Object.assign({}, descriptor));
    }
    Tool({ description })(Strange);
    const wrongResult = (result: string): TypeError =>
      new TypeError(
        `the check says returned ${result}: return true if the arguments are right, else the sentence that the model reads`,
      );
    const causes = [
      wrongResult('undefined'),
      wrongResult('an empty string'),
      new TypeError('the check says returned a promise'),
      wrongResult('false'),
    ];
    for (const [n, cause] of causes.entries()) {
      expect(failuresOf(Strange, { n })).toEqual([broken('', 'throws', problem), broken('', 'says', cause)]);
    }
  });
});

describe('conditions', () => {
  const problem = new Error('internal detail');

  @Tool({ description })
  class Payment {
    @IsString() kind!: string;
    @ValidateIf((payment: Payment) => payment.kind === 'card') @IsString() @MinLength(4) card?: string;
    @IsOptional()
    @IsString()
    @IsUppercase({ validateIf: (payment: Payment) => payment.kind === 'bank' })
    bank?: string;
    @ValidateIf(({ kind }: Payment) => {
      if (kind === 'broken') throw problem;
      return false;
    })
    @IsString()
    note?: string;
    execute(): void {}
  }

  test.each<[string, JsonObject, readonly (readonly [path: string, check: string])[]]>([
    ['an absent field, if its condition does not hold', { kind: 'cash' }, []],
    ['a constraint, if its condition does not hold', { kind: 'cash', card: '1' }, []],
    ['a right value', { kind: 'card', card: '1234' }, []],
    ['a constraint, if its condition holds', { kind: 'card', card: '1' }, [['/card', 'minLength']]],
    [
      'an absent field, if its condition holds',
      { kind: 'card' },
      [
        ['/card', 'minLength'],
        ['/card', 'isString'],
      ],
    ],
    ["one decorator, if its own condition doesn't hold", { kind: 'cash', bank: 'abc' }, []],
    ['one decorator, if its own condition holds', { kind: 'bank', bank: 'abc' }, [['/bank', 'isUppercase']]],
    ['a condition that breaks lifts nothing', { kind: 'broken' }, [['/note', 'isString']]],
  ])('%s', (_title, sent, failures) => {
    const found = failuresOf(Payment, sent);
    expect(found.map(({ path, check }) => [path, check])).toEqual(failures);
    if (sent['kind'] === 'broken') expect(found).toEqual([broken('/note', 'isString', problem)]);
  });
});

describe('own validators', () => {
  @ValidatorConstraint({ name: 'isKnown' })
  class IsKnown {
    validate(value: unknown, context?: { readonly constraints: readonly unknown[] }): boolean {
      if (value === 'throws') throw new Error('internal detail');
      return context?.constraints.includes(value) ?? false;
    }
    defaultMessage(context?: {
      readonly constraints: readonly unknown[];
      readonly targetName: string;
    }): string {
      return `${context?.targetName}.$property must be one of $constraint1 and $constraint2, not $value`;
    }
  }

  const Eventually: PropertyDecorator = (target, propertyName) =>
    registerDecorator({
      name: 'eventually',
      target: target.constructor,
      propertyName: String(propertyName),
      validator: { validate: () => Promise.reject(new Error('never awaited')) },
    });

  @Tool({ description })
  class Pick {
    @IsOptional() @IsString() @Validate(IsKnown, ['a', 'b']) name?: string;
    @IsOptional() @IsString() @Eventually later?: string;
    @IsOptional() @ArrayOf(String) @ArrayUnique((text: string) => text.toLowerCase()) words?: string[];
    @IsOptional() @Field({ type: Object }) any?: object;
    execute(): void {}
  }

  test('run with their parameters', () => {
    expect(failuresOf(Pick, { name: 'a', words: ['a', 'b'] })).toEqual([]);
    expect(failuresOf(Pick, { name: '$property', words: ['a', 'A'] })).toEqual([
      { path: '/name', check: 'isKnown', message: 'Pick.name must be one of a and b, not $property' },
      { path: '/words', check: 'arrayUnique', message: "All words's elements must be unique" },
    ]);
  });

  test('pass nothing if they break or return a promise', () => {
    expect(failuresOf(Pick, { name: 'throws', later: 'x' })).toEqual([
      broken('/name', 'isKnown', new Error('internal detail')),
      broken('/later', 'eventually', new TypeError('the check eventually returned a promise')),
    ]);
  });

  test('write into nothing that a model sent', () => {
    const sent: JsonObject = Object.freeze({ any: Object.freeze({ deep: Object.freeze([1]) }), name: 'a' });
    expect(failuresOf(Pick, sent)).toEqual([]);
  });
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
  @Tool({ description })
  class SignIn {
    @Nested(() => Login) login!: Login;
    execute(): void {}
  }
  expect(failuresOf(SignIn, { login: { password: 'canary', keys: [] } })).toEqual([
    { path: '/login/password', check: 'isStrongPassword', message: 'weak: [secret]' },
  ]);
  expect(failuresOf(SignIn, { login: { password: 'aB3$efgh', keys: ['aB3$efgh', 'aB3'] } })).toEqual([
    { path: '/login', check: 'differ', message: '[secret] is one of [secret],[secret]' },
  ]);
});

const linesOf = (Class: Constructor, sent: JsonObject): readonly string[] => {
  const result = interpret(contractOf(Class), { arguments: sent });
  return result.status === 'rejected' ? result.message.split('\n') : [result.status];
};

describe('what the model reads of checks', () => {
  @Tool({ description })
  class Deploy {
    @IsString() env!: string;
    @IsInt() replicas!: number;
    @IsOptional() @IsUppercase() contact?: string;
    @Check() enough(): true | string {
      return this.env !== 'production' || this.replicas > 1 || 'Production needs at least two replicas.';
    }
    @Check() sound(): true | string {
      if (this.replicas > 99 || this.contact === 'NOBODY') throw new Error('a bug');
      return true;
    }
    execute(): void {}
  }
  const bug = { env: 'test', replicas: 100 };
  const interpreted = (sent: JsonObject, failedBefore = 0) =>
    interpret(contractOf(Deploy), { arguments: sent }, { failedBefore });

  test('the author’s sentence alone, or behind the place that it is about', () => {
    expect(linesOf(Deploy, { env: 'test', replicas: 1 })).toEqual(['unchanged']);
    const wrong = linesOf(Deploy, { env: 'production', replicas: 1 });
    expect(wrong).toContain('- Production needs at least two replicas.');
    const contact = linesOf(Deploy, { env: 'test', replicas: 1, contact: 'x' });
    expect(contact).toContain('- contact: contact must be uppercase.');
  });

  test('a check that throws is an internal error, whose cause is for the developer alone', () => {
    expect(linesOf(Deploy, bug)).toEqual(['deploy was not executed.', 'An internal error occurred.']);
    for (const failedBefore of [0, 1]) {
      const rejected = interpreted(bug, failedBefore);
      expect(rejected).toMatchObject({
        issues: [{ keyword: 'broken_check', path: '' }],
        causes: [new Error('a bug')],
      });
      expect(Object.keys(rejected)).not.toContain('causes');
    }
    expect(Object.hasOwn(interpreted({}, 1), 'causes')).toBe(false);
    expect(Object.hasOwn(interpreted({ env: 'production', replicas: 1 }), 'causes')).toBe(false);
  });

  test('another check’s sentence is read alone, since it may be why a check broke', () => {
    expect(interpreted({ env: 'production', replicas: 1, contact: 'NOBODY' })).toMatchObject({
      issues: [{ keyword: 'check', path: '', advice: 'Production needs at least two replicas.' }],
      causes: [new Error('a bug')],
    });
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
    ['in an array without checks', { free: [wrong], steps: [right] }, 'free[0]: {"code":"…","n":1}'],
    ['in an array with a check that refuses it', { free: [right], steps: [right, wrong] }, undefined],
    ['in an object with a check that refuses it', { free: [right], steps: [], first: wrong }, undefined],
    ['in an object without checks', { free: [right], steps: [], last: wrong }, 'last: {"code":"…","n":1}'],
  ])('an example of what is right %s', (_title, sent, example) => {
    const line = linesOf(Plan, sent).find((one) => one.startsWith('Example'));
    expect(line).toBe(example && `Example at ${example}`);
  });
});

describe('an own message of a constraint that the schema expresses', () => {
  class Label {
    @MinLength(3, { message: 'a label like "bug" has $constraint1 letters' }) name!: string;
  }
  @Tool({ description })
  class OpenIssue {
    @MinLength(3, { message: '$property is too short: "$value"' })
    @Matches(/^[a-z ]+$/u, { message: () => 'write the title in small letters' })
    title!: string;
    @IsInt({ message: 'a priority is a number' })
    @Min(1, { message: 'the highest priority is 1' })
    priority!: number;
    @IsOptional()
    @ArrayOf(String)
    @MinLength(2, { each: true, message: 'tags have two letters' })
    tags?: string[];
    @IsOptional() @Nested(() => Label) label?: Label;
    @IsOptional() @MinLength(3) plain?: string;
    @IsOptional() @Secret() @MinLength(8, { message: '"$value" is no password' }) password?: string;
    execute(): void {}
  }
  const right = { title: 'a bug', priority: 1 };

  test.each<[string, JsonObject, readonly (readonly [place: string, sentences?: string])[]]>([
    ['is not read if nothing is wrong', right, []],
    ['has its placeholders filled in', { ...right, title: 'ab' }, [['title', 'title is too short: "ab"']]],
    [
      'is read with others behind what the schema expects of the place',
      { ...right, title: 'A' },
      [['title', 'write the title in small letters; title is too short: "A"']],
    ],
    [
      'is read for a missing field',
      { title: 'a bug' },
      [['priority', 'the highest priority is 1; a priority is a number']],
    ],
    ['is read for an element', { ...right, tags: ['ab', 'c'] }, [['tags[1]', 'tags have two letters']]],
    [
      'is read for a nested class',
      { ...right, label: { name: 'x' } },
      [['label.name', 'a label like "bug" has 3 letters']],
    ],
    ['is not made up', { ...right, plain: 'x' }, [['plain']]],
    ['hides secrets', { ...right, password: 'hunter2' }, [['password', '"[secret]" is no password']]],
    [
      'is read for values of other types',
      { title: [1, 2], priority: { a: 1 }, label: 5 },
      [
        ['title', 'write the title in small letters; title is too short: "$value"'],
        ['priority', 'the highest priority is 1; a priority is a number'],
        ['label'],
      ],
    ],
  ])('%s', (_title, sent, expected) => {
    const lines = linesOf(OpenIssue, sent).filter((line) => line.startsWith('- '));
    const read = lines.map((line) =>
      /^- ([\w.[\]]+)(?: is missing)?: [^;]*(?:; (.*))?\.$/.exec(line)?.slice(1),
    );
    expect(read).toEqual(expected.map(([place, sentences]) => [place, sentences]));
    expect(lines.join()).not.toContain('hunter2');
  });
});
