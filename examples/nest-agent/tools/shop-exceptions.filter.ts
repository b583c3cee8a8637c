// Turns the shop's exceptions into messages for the model.
import { Catch, ConflictException, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import { ToolFailure, ToolRetry } from 'toolmend';

@Catch(NotFoundException, ConflictException)
export class ShopExceptions implements ExceptionFilter {
  catch(exception: NotFoundException | ConflictException): never {
    const { message } = exception;
    throw exception instanceof NotFoundException
      ? new ToolRetry(message)
      : new ToolFailure(message);
  }
}
