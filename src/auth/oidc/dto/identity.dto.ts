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
