// A Nest interceptor that records tool calls and ignores HTTP requests.
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { toolExecutionOf } from 'toolmend/nestjs';
import { AuditService } from '../shop/audit.service.ts';

@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(private readonly audit: AuditService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const execution = toolExecutionOf(context);
    if (execution === undefined) return next.handle();
    const { tool, values } = execution;
    const write = (ended: string): Promise<void> =>
      this.audit.write({ customer: String(values['customer']), tool, ended });
    return from(written(lastValueFrom(next.handle()), write));
  }
}

async function written(
  running: Promise<unknown>,
  write: (ended: string) => Promise<void>,
): Promise<unknown> {
  try {
    const result = await running;
    await write('returned');
    return result;
  } catch (error) {
    await write('threw');
    throw error;
  }
}
