// The DTO of an HTTP route, which is also the arguments of a tool.
import { Type } from 'class-transformer';
import {
  IsInt,
  IsOptional,
  IsPostalCode,
  IsString,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

export class AddressDto {
  @IsString()
  @MinLength(3)
  @MaxLength(200)
  street!: string;

  @IsPostalCode('any')
  postalCode!: string;

  @IsString()
  @MaxLength(100)
  city!: string;

  @IsOptional()
  @IsString()
  country?: string;
}

export class ChangeAddressDto {
  @IsInt()
  @Min(1)
  orderId!: number;

  @ValidateNested()
  @Type(() => AddressDto)
  address!: AddressDto;
}

export const addressLine = ({ street, postalCode, city, country }: AddressDto): string =>
  [street, `${postalCode} ${city}`, country].filter((part) => part !== undefined).join(', ');
