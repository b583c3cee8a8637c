// A Nest guard that lets only staff call the tool.
import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { toolExecutionOf } from 'toolmend/nestjs';

const key = 'staff';

/** Only for people who work here. */
export const Staff = () => SetMetadata(key, true);

@Injectable()
export class StaffGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.get<boolean | undefined>(key, context.getHandler()) !== true) return true;
    if (toolExecutionOf(context)?.values['role'] === 'staff') return true;
    throw new ForbiddenException('Only staff may do that.');
  }
}
