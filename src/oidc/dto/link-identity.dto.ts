import { IsOptional, ValidateIf } from 'class-validator';
import { IsExternalId, IsId } from '../../core/validation/validators.js';

export class IdentityParams {
  @IsId()
  id!: string;

  @IsId()
  identity_id!: string;
}

/** Either what the provider calls the person (`sub`), or the ids that Entra shows for them. */
export class LinkIdentityDto {
  /** The `sub` of the provider's tokens for this service. */
  @ValidateIf(
    ({ tenant_id, object_id }: LinkIdentityDto) => tenant_id === undefined && object_id === undefined,
  )
  @IsExternalId()
  subject?: string;

  /** Entra: id of the tenant. */
  @ValidateIf(({ object_id }: LinkIdentityDto) => object_id !== undefined)
  @IsId()
  tenant_id?: string;

  /** Entra: object id of the person. */
  @ValidateIf(({ tenant_id }: LinkIdentityDto) => tenant_id !== undefined)
  @IsId()
  object_id?: string;

  /** The issuer, where it is not the configured one's own name. */
  @IsOptional()
  @IsExternalId()
  issuer?: string;
}
