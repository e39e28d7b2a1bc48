import type { User } from '../user.entity.js';

export class UserAttributesDto {
  /** What identity policies refer to, whoever set it: an admin, or a rule over the provider's claims. */
  attributes!: Record<string, string>;

  static from({ attributes }: User): UserAttributesDto {
    return { attributes };
  }
}
