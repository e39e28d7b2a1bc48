import { IsOptional, ValidateIf } from 'class-validator';
import { IsExternalId, IsId } from '../../../core/validation/validators.js';
import type { UserIdentity } from '../user-identity.entity.js';

/** A user's identity at the identity provider. */
export class IdentityDto {
  id!: string;
  issuer!: string;
  /** Null until the first sign-in of a user who was linked by Entra IDs. */
  subject!: string | null;
  tenant_id!: string | null;
  object_id!: string | null;
  /** Email address in the provider's latest claims. Informational only. */
  email!: string | null;
  created_at!: Date;
  last_sign_in_at!: Date | null;

  static from(identity: UserIdentity): IdentityDto {
    return {
      id: identity.id,
      issuer: identity.iss,
      subject: identity.sub,
      tenant_id: identity.tid,
      object_id: identity.oid,
      email: identity.email,
      created_at: identity.createdAt,
      last_sign_in_at: identity.lastSignInAt,
    };
  }
}

export class IdentityListDto {
  identities!: IdentityDto[];
}

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
