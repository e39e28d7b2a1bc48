import { IsOptional, ValidateIf } from 'class-validator';
import { IsExternalId, IsId } from '../../../core/validation/validators.js';

/** Either the provider's subject (`sub`), or the Entra tenant ID and object ID of the user. */
export class LinkIdentityDto {
  /** The `sub` claim of the tokens that the provider issues for this service. */
  @ValidateIf(
    ({ tenant_id, object_id }: LinkIdentityDto) => tenant_id === undefined && object_id === undefined,
  )
  @IsExternalId()
  subject?: string;

  /** Entra tenant ID. */
  @ValidateIf(({ object_id }: LinkIdentityDto) => object_id !== undefined)
  @IsId()
  tenant_id?: string;

  /** Entra object ID of the user. */
  @ValidateIf(({ tenant_id }: LinkIdentityDto) => tenant_id !== undefined)
  @IsId()
  object_id?: string;

  /** Issuer of the identity. Must be the configured provider, which is the default. */
  @IsOptional()
  @IsExternalId()
  issuer?: string;
}
