// Identifies the customer by a token, which is never logged.
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import type { IncomingMessage } from 'node:http';

export interface Customer {
  readonly name: string;
  readonly role: 'customer' | 'staff';
}

export interface AuthenticatedRequest extends IncomingMessage {
  customer: Customer;
}

/** Tokens of the example; a real shop asks its identity provider. */
const exampleTokens: ReadonlyMap<string, Customer> = new Map([
  ['token-of-ada', { name: 'ada', role: 'customer' }],
  ['token-of-bob', { name: 'bob', role: 'customer' }],
  ['token-of-zoe', { name: 'zoe', role: 'staff' }],
]);

@Injectable()
export class CustomerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const customer = exampleTokens.get(token);
    if (customer === undefined) throw new UnauthorizedException();
    request.customer = customer;
    return true;
  }
}
