// The bodies of requests.
import { IsIn, IsObject, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import type { JsonObject } from 'toolmend';

export class MessageDto {
  @IsString()
  @MinLength(1)
  @MaxLength(4000)
  text!: string;
}

export class AnswerDto {
  @IsIn(['accept', 'decline', 'cancel'])
  action!: 'accept' | 'decline' | 'cancel';

  /** With `accept`: the answer, in the form of the question's schema. */
  @IsOptional()
  @IsObject()
  content?: JsonObject;
}

export class DecisionDto {
  @IsIn(['approve', 'deny'])
  decision!: 'approve' | 'deny';

  /** Approved instead of what the model sent. */
  @IsOptional()
  @IsObject()
  arguments?: JsonObject;

  @IsOptional()
  @IsString()
  @MaxLength(1000)
  message?: string;
}
