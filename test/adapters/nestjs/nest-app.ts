// Nest applications for tests, which close after each test, and their parts from functions.
import {
  type CanActivate,
  Catch,
  type ExceptionFilter,
  Injectable,
  Module,
  type ModuleMetadata,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { type ToolContext, ToolMethod } from 'toolmend';
import { compileTools, ToolmendModule, type ToolmendModuleOptions } from 'toolmend/nestjs';
import { RecordingLogger } from './recording-logger.ts';

type Imports = NonNullable<ModuleMetadata['imports']>;

/**
 * An application of these modules, which closes at the end of the test. `edit`: overrides.
 */
export async function startModules(
  imports: Imports,
  options: ToolmendModuleOptions = {},
  edit: (builder: TestingModuleBuilder) => TestingModuleBuilder = (builder) => builder,
) {
  const builder = Test.createTestingModule({
    imports: [ToolmendModule.forRoot(options), ...imports],
  });
  const tested = await compileTools(edit(builder.setLogger(new RecordingLogger())));
  onTestFinished(() => tested.close());
  return tested;
}

export function moduleOf(
  providers: readonly Provider[],
  rest: Omit<ModuleMetadata, 'providers'> = {},
): Type {
  @Module({ providers: [...providers], ...rest })
  class AppModule {}
  return AppModule;
}

/** An application of these providers. */
export const start = (providers: readonly Provider[], options?: ToolmendModuleOptions) =>
  startModules([moduleOf(providers)], options);

/** What the tools of `providerOf` take. */
export class Note {
  @IsString() text!: string;
  @IsOptional() @IsInt() times?: number;
}

/** A provider with the tool `write`, which runs `run`. */
export function providerOf(
  run: (note: Note, context: ToolContext) => unknown,
  options: Partial<Parameters<typeof ToolMethod<Note>>[1]> = {},
  ...decorators: readonly ClassDecorator[]
): Type {
  @Injectable()
  class Notes {
    @ToolMethod(Note, { description: 'Write.', ...options })
    write(note: Note, context: ToolContext): unknown {
      return run(note, context);
    }
  }
  for (const decorate of decorators) decorate(Notes);
  return Notes;
}

const provided = (provide: string, useValue: object): Provider => ({ provide, useValue });

export const appGuard = (canActivate: CanActivate['canActivate']) =>
  provided(APP_GUARD, { canActivate });

export const appInterceptor = (intercept: NestInterceptor['intercept']) =>
  provided(APP_INTERCEPTOR, { intercept });

export const appPipe = (transform: PipeTransform['transform']) => provided(APP_PIPE, { transform });

/** A filter for these exceptions, or for all. */
export function filterOf(handle: ExceptionFilter['catch'], ...exceptions: readonly Type[]): Type {
  @Catch(...exceptions)
  @Injectable()
  class Filter {
    readonly catch = handle;
  }
  return Filter;
}

export const appFilter = (
  handle: ExceptionFilter['catch'],
  ...exceptions: readonly Type[]
): Provider => ({
  provide: APP_FILTER,
  useClass: filterOf(handle, ...exceptions),
});
