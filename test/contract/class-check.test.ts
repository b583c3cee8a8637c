// Which checks run beside the schema, on what, and what do their failures say?
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

const description = 'A tool for a test.';

function failuresOf(Class: Constructor, value: JsonObject): readonly CheckFailure[] {
  const { check } = contractOf(Class);
  if (check === undefined) throw new Error('no check');
  return check(value);
}

test('a class whose schema says everything has no check', () => {
  @Tool({ description })
  class Plain {
    @IsInt() @Min(1) n!: number;
    @IsOptional() @IsString() @MinLength(2) text?: string;
    execute(): void {}
  }
  expect(contractOf(Plain).check).toBeUndefined();
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

test('what passes has no failures', () => {
  expect(
    failuresOf(Invite, { people: [{ mail: 'a@b.co' }], 'a/b': ['A'], code: null, codes: [null, 'A'] }),
  ).toEqual([]);
  expect(failuresOf(Invite, { people: [], at: '1960-01-01T00:00:00Z' })).toEqual([]);
});

test('failures name their place by JSON Pointer, the check, and its sentence', () => {
  const value = {
    people: [{ mail: 'a@b.co' }, { mail: 'b' }],
    'a/b': ['A', 'b'],
    code: 'a',
    codes: ['b', null],
  };
  expect(failuresOf(Invite, value)).toEqual([
    { path: '/a~1b/1', check: 'isUppercase', message: 'each value in a/b must be uppercase' },
    { path: '/code', check: 'isUppercase', message: 'code must be uppercase' },
    { path: '/codes/0', check: 'isUppercase', message: 'each value in codes must be uppercase' },
    { path: '/people/1/mail', check: 'isEmail', message: 'mail must be an email' },
  ]);
});

test('placeholders in an own message are filled in', () => {
  const [failure] = failuresOf(Invite, { people: [], at: '2024-01-01T00:00:00Z' });
  expect(failure?.message).toBe(`at is after 1970-01-01T00:00:00.000Z, being $value`);
});

test('a date that does not exist', () => {
  expect(failuresOf(Invite, { people: [], at: '2016-12-31T23:59:60Z' })).toContainEqual({
    path: '/at',
    check: 'isDate',
    message: 'must be a date that exists',
  });
});

describe('@Check', () => {
  const people = Array.from({ length: 4 }, () => ({ mail: 'a@b.co' }));

  test('its text goes to the model, for the object as a whole, with defaults filled', () => {
    expect(failuresOf(Invite, { people })).toEqual([
      { path: '', check: 'enough', message: 'At most 3 people.' },
    ]);
    expect(failuresOf(Invite, { people, least: 4 })).toEqual([]);
  });

  test('it is asked only about fields that hold', () => {
    expect(failuresOf(Invite, { people: [...people, { mail: 'x' }] }).map(({ check }) => check)).toEqual([
      'isEmail',
    ]);
  });

  test('in nested classes, inherited, and overridden', () => {
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

  test('nothing but true passes; what throws passes nothing and tells the developer why', () => {
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
    const noAnswer = (answer: string): TypeError =>
      new TypeError(
        `the check says returned ${answer}: return true if the arguments hold, else the sentence that the model reads`,
      );
    for (const name of ['throws', 'says']) {
      const descriptor = Object.getOwnPropertyDescriptor(Strange.prototype, name);
      Check()(Strange.prototype, name, Object.assign({}, descriptor));
    }
    Tool({ description })(Strange);
    expect(failuresOf(Strange, { n: 0 })).toEqual([
      { path: '', check: 'throws', message: 'could not be checked: throws failed', cause: problem },
      { path: '', check: 'says', message: 'could not be checked: says failed', cause: noAnswer('undefined') },
    ]);
    for (const [n, answer] of [
      [1, 'an empty text'],
      [3, 'false'],
    ] as const) {
      expect(failuresOf(Strange, { n })[1]).toEqual({
        path: '',
        check: 'says',
        message: 'could not be checked: says failed',
        cause: noAnswer(answer),
      });
    }
    expect(failuresOf(Strange, { n: 2 })[1]).toMatchObject({
      message: 'could not be checked: says failed',
      cause: new TypeError('the check says returned a promise'),
    });
  });
});

describe('conditions', () => {
  @Tool({ description })
  class Payment {
    @IsString() kind!: string;
    @ValidateIf((payment: Payment) => payment.kind === 'card') @IsString() @MinLength(4) card?: string;
    @IsOptional()
    @IsString()
    @IsUppercase({ validateIf: (payment: Payment) => payment.kind === 'bank' })
    bank?: string;
    execute(): void {}
  }

  test('a constraint under a condition applies when the condition holds', () => {
    expect(failuresOf(Payment, { kind: 'cash' })).toEqual([]);
    expect(failuresOf(Payment, { kind: 'cash', card: '1' })).toEqual([]);
    expect(failuresOf(Payment, { kind: 'card', card: '1234' })).toEqual([]);
    expect(failuresOf(Payment, { kind: 'card', card: '1' }).map(({ path, check }) => [path, check])).toEqual([
      ['/card', 'minLength'],
    ]);
    expect(failuresOf(Payment, { kind: 'card' }).map(({ path }) => path)).toEqual(['/card', '/card']);
  });

  test('a condition that breaks lifts nothing', () => {
    const problem = new Error('internal detail');
    @Tool({ description })
    class Broken {
      @ValidateIf(() => {
        throw problem;
      })
      @IsString()
      text?: string;
      execute(): void {}
    }
    expect(failuresOf(Broken, {})).toEqual([
      { path: '/text', check: 'isString', message: 'could not be checked: isString failed', cause: problem },
    ]);
  });

  test("one decorator's own condition", () => {
    expect(failuresOf(Payment, { kind: 'cash', bank: 'abc' })).toEqual([]);
    expect(failuresOf(Payment, { kind: 'bank', bank: 'abc' }).map(({ check }) => check)).toEqual([
      'isUppercase',
    ]);
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
      validator: { validate: () => Promise.reject(new Error('nobody waits')) },
    });

  @Tool({ description })
  class Pick {
    @IsOptional() @IsString() @Validate(IsKnown, ['a', 'b']) name?: string;
    @IsOptional() @IsString() @Eventually later?: string;
    @IsOptional() @ArrayOf(String) @ArrayUnique((text: string) => text.toLowerCase()) words?: string[];
    @IsOptional() @Field({ type: Object }) any?: object;
    execute(): void {}
  }

  test('run with what they were given', () => {
    expect(failuresOf(Pick, { name: 'a', words: ['a', 'b'] })).toEqual([]);
    expect(failuresOf(Pick, { name: '$property', words: ['a', 'A'] })).toEqual([
      { path: '/name', check: 'isKnown', message: 'Pick.name must be one of a and b, not $property' },
      { path: '/words', check: 'arrayUnique', message: "All words's elements must be unique" },
    ]);
  });

  test('one that breaks or must be waited for passes nothing', () => {
    expect(failuresOf(Pick, { name: 'throws', later: 'x' })).toMatchObject([
      { path: '/name', check: 'isKnown', message: 'could not be checked: isKnown failed' },
      {
        path: '/later',
        check: 'eventually',
        cause: new TypeError('the check eventually returned a promise'),
      },
    ]);
  });

  test('objects of the model are never written to', () => {
    const sent: JsonObject = Object.freeze({ any: Object.freeze({ deep: Object.freeze([1]) }), name: 'a' });
    expect(failuresOf(Pick, sent)).toEqual([]);
  });
});

test('T35: no message repeats a secret', () => {
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

describe('what the model reads', () => {
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
  const interpreted = (sent: JsonObject) => interpret(contractOf(Deploy), { arguments: sent });
  const linesOf = (sent: JsonObject): readonly string[] => {
    const result = interpreted(sent);
    return result.status === 'rejected' ? result.message.split('\n') : [];
  };

  test('the author’s sentence alone, or behind the place it is about', () => {
    expect(interpreted({ env: 'test', replicas: 1 }).status).toBe('unchanged');
    expect(linesOf({ env: 'production', replicas: 1 })).toContain(
      '- Production needs at least two replicas.',
    );
    expect(linesOf({ env: 'test', replicas: 1, contact: 'x' })).toContain(
      '- contact: contact must be uppercase.',
    );
  });

  test('a check that throws is an internal error, not a mistake to correct', () => {
    expect(linesOf({ env: 'test', replicas: 100 })).toEqual([
      'deploy was not executed because of an internal error.',
    ]);
    expect(interpreted({ env: 'test', replicas: 100 })).toMatchObject({
      issues: [{ keyword: 'broken_check', path: '' }],
      causes: [new Error('a bug')],
    });
  });

  describe('an example of a place inside', () => {
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
        'in a list, which no check looks at',
        { free: [wrong], steps: [right] },
        'For example at free[0]: {"code":"…","n":1}',
      ],
      ['in a list, which a check refuses', { free: [right], steps: [right, wrong] }, undefined],
      ['in an object, which a check refuses', { free: [right], steps: [], first: wrong }, undefined],
      [
        'in an object, which no check looks at',
        { free: [right], steps: [], last: wrong },
        'For example at last: {"code":"…","n":1}',
      ],
    ])('%s', (_title, sent, line) => {
      const result = interpret(contractOf(Plan), { arguments: sent });
      const message = String(Reflect.get(result, 'message')).split('\n');
      expect(message.find((one) => one.startsWith('For example'))).toBe(line);
    });
  });

  test('said again, what it threw is still for the developer alone', () => {
    const sent = { arguments: { env: 'test', replicas: 100 } };
    const again = interpret(contractOf(Deploy), sent, { failedBefore: 1 });
    expect(again).toMatchObject({ causes: [new Error('a bug')] });
    for (const rejected of [again, interpret(contractOf(Deploy), sent)])
      expect(Object.keys(rejected)).not.toContain('causes');
    const refused = interpret(contractOf(Deploy), { arguments: {} }, { failedBefore: 1 });
    expect(Object.hasOwn(refused, 'causes')).toBe(false);
    expect(Object.hasOwn(interpreted({ env: 'production', replicas: 1 }), 'causes')).toBe(false);
  });

  test('what another check said is told alone: the one that broke may have done so over it', () => {
    expect(interpreted({ env: 'production', replicas: 1, contact: 'NOBODY' })).toMatchObject({
      issues: [{ keyword: 'check', path: '', advice: 'Production needs at least two replicas.' }],
      causes: [new Error('a bug')],
    });
  });
});

describe('an own message of a constraint that the schema says', () => {
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
  const linesOf = (sent: JsonObject): readonly string[] => {
    const result = interpret(contractOf(OpenIssue), { arguments: sent });
    return result.status === 'rejected'
      ? result.message.split('\n').filter((line) => line.startsWith('- '))
      : [result.status];
  };
  const right = { title: 'a bug', priority: 1 };

  test.each<[string, JsonObject, readonly string[]]>([
    ['nothing is wrong', right, ['unchanged']],
    [
      'placeholders',
      { ...right, title: 'ab' },
      ['- title: expected at least 3 characters, got the text "ab"; title is too short: "ab".'],
    ],
    [
      'two at one place, behind the first of its failures',
      { ...right, title: 'A' },
      [
        '- title: expected at least 3 characters, got the text "A"; write the title in small letters; title is too short: "A".',
        '- title: expected text that matches ^[a-z ]+$, got the text "A".',
      ],
    ],
    [
      'a type, and what is missing',
      { title: 'a bug' },
      [
        '- priority is missing: expected a whole number of at least 1; the highest priority is 1; a priority is a number.',
      ],
    ],
    [
      'an element',
      { ...right, tags: ['ab', 'c'] },
      ['- tags[1]: expected at least 2 characters, got the text "c"; tags have two letters.'],
    ],
    [
      'a nested class',
      { ...right, label: { name: 'x' } },
      ['- label.name: expected at least 3 characters, got the text "x"; a label like "bug" has 3 letters.'],
    ],
    [
      'none was written',
      { ...right, plain: 'x' },
      ['- plain: expected at least 3 characters, got the text "x".'],
    ],
    [
      'a secret in it',
      { ...right, password: 'hunter2' },
      ['- password: expected at least 8 characters, got a text; "[secret]" is no password.'],
    ],
    [
      'values of other types',
      { title: [1, 2], priority: { a: 1 }, label: 5 },
      [
        '- title: expected text, got a list of 2; write the title in small letters; title is too short: "$value".',
        '- priority: expected a whole number, got an object with "a"; the highest priority is 1; a priority is a number.',
        '- label: expected an object, got the number 5.',
      ],
    ],
  ])('%s', (_title, sent, lines) => {
    expect(linesOf(sent)).toEqual(lines);
  });
});
