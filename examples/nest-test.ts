// Tests a tool of a Nest application: calls it as a model does, with a replaced dependency.
import { strict as assert } from 'node:assert';
// #region imports
import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { IsString } from 'class-validator';
import { ToolMethod } from 'toolmend';
import { compileTools, ToolmendModule } from 'toolmend/nestjs';
// #endregion

@Injectable()
class Clock {
  now(): string {
    return new Date().toISOString();
  }
}

class NoteDto {
  @IsString()
  text!: string;
}

@Injectable()
class Notes {
  constructor(private readonly clock: Clock) {}

  @ToolMethod(NoteDto, { description: 'Write a note.' })
  write({ text }: NoteDto): string {
    return `${this.clock.now()} ${text}`;
  }
}

@Module({ imports: [ToolmendModule.forRoot({})], providers: [Clock, Notes] })
class NotesModule {}

// #region test
const builder = Test.createTestingModule({ imports: [NotesModule] })
  .overrideProvider(Clock)
  .useValue({ now: () => 'noon' });
const { tools, call, close } = await compileTools(builder);

assert.deepEqual(tools.names(), ['write']);
const outcome = await call('write', '{"text": "tea",}');
assert(outcome.status === 'completed' && outcome.result === 'noon tea');
await close();
// #endregion
