import type { User } from '../user.entity.js';

export class UserAttributesDto {
  /** Attributes that identity policies refer to, set by an admin or by a rule over the identity provider's claims. */
  attributes!: Record<string, string>;

  static from({ attributes }: User): UserAttributesDto {
    return { attributes };
  }
}
