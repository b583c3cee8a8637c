// The tools of a Nest application: where they are found, and what they depend on.
import { Controller, Inject, Injectable, Module, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { ArrayOf, Tool, type ToolContext, ToolMethod, ToolRegistry } from 'toolmend';
import { compileTools, ToolmendModule } from 'toolmend/nestjs';
import { toolOf } from '../../tools.ts';
import { moduleOf, start, startModules } from './nest-app.ts';

@Injectable()
class Shelf {
  readonly books = ['Emma', 'Dune'];
}

@Tool({ description: 'Find books.', effects: 'read' })
class FindBooks {
  @ArrayOf(String) words!: string[];
  constructor(private readonly shelf: Shelf) {}
  execute(): unknown {
    return { books: this.shelf.books.filter((title) => this.words.includes(title)) };
  }
}

class LendBook {
  @IsString() title!: string;
  @IsOptional() @IsInt() @Min(1) days?: number;
}

@Injectable()
class Desk {
  static made = 0;
  constructor(private readonly shelf: Shelf) {
    Desk.made += 1;
  }
  @ToolMethod(LendBook, { description: 'Lend a book.', effects: 'write' })
  lend({ title, days = 14 }: LendBook, { call }: ToolContext): string {
    return `${call.id}: ${title} for ${days} days, of ${this.shelf.books.length}`;
  }
}

@Module({ providers: [Shelf, FindBooks, Desk], exports: [Shelf] })
class LibraryModule {}

describe('tools', () => {
  it('are found in every module, with their dependencies', async () => {
    const { tools, call } = await startModules([LibraryModule]);
    expect(tools.names().toSorted()).toEqual(['find_books', 'lend']);
    const found = await call('find_books', { words: ['Emma', 'Ulysses'] });
    const lent = await call('lend', { title: 'Dune', days: null });
    expect(found).toMatchObject({ result: { books: ['Emma'] } });
    expect(lent).toMatchObject({ result: 'call_2: Dune for 14 days, of 2' });
  });

  it('get an instance for each call if they are classes; Nest decides about providers of methods', async () => {
    Desk.made = 0;
    const instances = new Set<unknown>();
    @Tool({ description: 'Look at itself.' })
    class Look {
      execute(): string {
        instances.add(this);
        return 'seen';
      }
    }
    const { call } = await startModules([LibraryModule, moduleOf([Look])]);
    await Promise.all([call('look', {}), call('look', {}), call('lend', { title: 'Emma' })]);
    await call('lend', { title: 'Emma' });
    expect(instances.size).toBe(2);
    expect(Desk.made).toBe(1);
  });

  it('can be provided by forFeature, with modules for their dependencies', async () => {
    const imports = [moduleOf([Shelf], { exports: [Shelf] })];
    const { tools, call } = await startModules([
      ToolmendModule.forFeature([FindBooks, Desk], { imports }),
    ]);
    expect(tools.names()).toEqual(['find_books', 'lend']);
    expect(await call('find_books', { words: ['Dune'] })).toMatchObject({
      result: { books: ['Dune'] },
    });
  });

  it('are found behind factories, values and other tokens', async () => {
    class Bell {
      constructor(private readonly tone: string) {}
      @ToolMethod(LendBook, { description: 'Ring.', name: 'ring' })
      ring(): string {
        return this.tone;
      }
    }
    class Drum extends Bell {
      @ToolMethod(LendBook, { description: 'Beat.', name: 'beat' })
      beat(): string {
        return 'bum';
      }
      override ring(): string {
        return 'no ring';
      }
    }
    const factories = await start([
      { provide: 'BELL', useFactory: async () => new Bell('ding') },
      { provide: 'SHELF', useClass: Shelf },
      { provide: 'SAME', useExisting: 'BELL' },
    ]);
    const values = await start([{ provide: 'DESK', useValue: new Drum('dong') }]);

    expect(await factories.call('ring', { title: 'x' })).toMatchObject({ result: 'ding' });
    expect(await values.call('beat', { title: 'x' })).toMatchObject({ result: 'bum' });
  });

  it('that are not classes come from the options, with forRootAsync too', async () => {
    const greet = toolOf((_values, { values }) => values['word'], { name: 'greet' });
    const root = ToolmendModule.forRootAsync({
      imports: [moduleOf([{ provide: 'WORD', useValue: 'hello' }], { exports: ['WORD'] })],
      inject: ['WORD'],
      useFactory: (word: string) => ({ context: { word }, tools: [greet] }),
    });
    const { call, close } = await compileTools(Test.createTestingModule({ imports: [root] }));
    expect(await call('greet', '{}')).toMatchObject({ status: 'completed', result: 'hello' });
    await close();
  });

  it('are in the registry when another provider is created', async () => {
    let seen: readonly string[] = [];
    @Injectable()
    class Agent {
      constructor(tools: ToolRegistry) {
        seen = tools.names();
      }
    }
    await startModules([LibraryModule, moduleOf([Agent])]);
    expect(seen.toSorted()).toEqual(['find_books', 'lend']);
  });

  it('reach providers that their module does not export', async () => {
    @Injectable()
    class Private {
      readonly word = 'private';
    }
    @Tool({ description: 'Tell.' })
    class Tell {
      constructor(private readonly own: Private) {}
      execute(): string {
        return this.own.word;
      }
    }
    const { call } = await startModules([LibraryModule, moduleOf([Private, Tell])]);
    expect(await call('tell', {})).toMatchObject({ status: 'completed', result: 'private' });
  });
});

describe('a constructor without types', () => {
  class Untyped {
    static declared = 0;
  }
  // As a compiler that emits no types leaves it.
  class Silent {
    constructor(readonly store: Untyped) {}
    read(): string {
      return typeof this.store;
    }
  }
  Reflect.apply(ToolMethod(LendBook, { description: 'Read.' }), undefined, [
    Silent.prototype,
    'read',
    Object.getOwnPropertyDescriptor(Silent.prototype, 'read'),
  ]);

  it('is refused at the start, because Nest would inject undefined', async () => {
    const module = await Test.createTestingModule({ providers: [Silent] }).compile();
    expect(module.get(Silent).store).toBeUndefined();
    await expect(start([Silent])).rejects.toThrow(
      'Silent has no types for its constructor, and parameter 1 would be undefined: ' +
        'compile with emitDecoratorMetadata and a decorator on the class, or write @Inject(Token).',
    );
  });

  it('is accepted with a named token', async () => {
    class Named extends Silent {}
    Reflect.apply(Inject(Shelf), undefined, [Named, undefined, 0]);
    const { call } = await start([Shelf, Named]);
    expect(await call('read', { title: 'x' })).toMatchObject({ status: 'completed' });
  });
});

describe('a request-scoped dependency', () => {
  @Injectable({ scope: Scope.REQUEST })
  class Visitor {
    static made = 0;
    readonly number: number;
    constructor(@Inject(REQUEST) readonly request: { readonly user?: string }) {
      Visitor.made += 1;
      this.number = Visitor.made;
    }
  }
  const factsOf = ({ request, number }: Visitor) => ({ user: request.user, number });
  @Tool({ description: 'Who is it?' })
  class WhoIsIt {
    constructor(private readonly visitor: Visitor) {}
    execute(): unknown {
      return factsOf(this.visitor);
    }
  }
  @Injectable()
  class Porter {
    constructor(private readonly visitor: Visitor) {}
    @ToolMethod(LendBook, { description: 'Greet.' })
    greet(): unknown {
      return factsOf(this.visitor);
    }
  }
  const providers = [Visitor, WhoIsIt, Porter];

  it.each(['who_is_it', 'greet'])(
    'is created for each call of %s, which is its request',
    async (name) => {
      const { call } = await start(providers);
      const sent = name === 'greet' ? { title: 'x' } : {};
      const outcomes = await Promise.all(
        ['Ada', 'Bob'].map((user) => call(name, sent, { context: { user } })),
      );
      expect(outcomes).toMatchObject([{ result: { user: 'Ada' } }, { result: { user: 'Bob' } }]);
    },
  );

  it('is shared by the calls of one request, which the application finds', async () => {
    const request = ({ http }: ToolContext['values']) =>
      typeof http === 'object' && http ? http : undefined;
    const { call } = await start(providers, { request });
    Visitor.made = 0;
    const [ada, bob] = [{ user: 'Ada' }, { user: 'Bob' }].map((http) => ({ context: { http } }));
    const ofAda = { result: { user: 'Ada', number: 1 } };
    expect(await call('who_is_it', {}, ada)).toMatchObject(ofAda);
    expect(await call('greet', { title: 'x' }, ada)).toMatchObject(ofAda);
    expect(await call('greet', { title: 'x' }, bob)).toMatchObject({
      result: { user: 'Bob', number: 2 },
    });
  });
});

describe('problems', () => {
  it('end the start, all in one error', async () => {
    @Tool({ description: '' })
    class NoWords {
      @IsString() word!: string;
      execute(): void {}
    }
    @Controller('books')
    class BooksController {
      @ToolMethod(LendBook, { description: 'Lend.' })
      lend(): void {}
    }
    @Tool({ description: 'Made elsewhere.' })
    class Made {
      execute(): void {}
    }
    @Module({ providers: [Desk, Shelf] })
    class SecondModule {}
    const faulty = moduleOf([NoWords, { provide: Made, useFactory: () => new Made() }], {
      imports: [LibraryModule, SecondModule],
      controllers: [BooksController],
    });

    await expect(startModules([faulty])).rejects.toMatchObject({
      name: 'DefinitionError',
      problems: [
        { where: 'BooksController', what: 'is a controller and has a tool' },
        {
          where: 'Made',
          what: 'is a @Tool, which gets a new instance for each call, and is provided as a value or by a factory',
        },
        { where: 'Desk', what: 'is provided by LibraryModule and by SecondModule' },
        { where: 'NoWords', what: 'has "" for description' },
      ],
    });
  });

  it('include misspelt options', async () => {
    const ofRoot = 'ToolmendModule has no option "closeTimeout": write closeTimeoutMs.';
    const ofFeature = 'ToolmendModule.forFeature has no option "import": write imports.';
    await expect(start([], Object({ closeTimeout: 5 }))).rejects.toThrow(ofRoot);
    expect(() => ToolmendModule.forFeature([], Object({ import: [] }))).toThrow(ofFeature);
  });

  it('of a class that is not a provider end its calls, because no guard would run', async () => {
    const { tools, call } = await start([]);
    tools.register(Desk);
    const outcome = await call('lend', { title: 'Emma' });
    expect(outcome).toMatchObject({ status: 'failed', reason: 'exception' });
    const cause = String(outcome.status === 'failed' && outcome.cause);
    expect(cause).toContain('Desk is not a provider of any module');
  });
});
