import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsOptional,
  Length,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { IsReadableText, OptionalField } from '../../core/validation/validators.js';
import type { IdentityTemplates } from '../dataset.entity.js';

/** Literal text and the placeholders `{{email}}`, `{{id}}` and `{{attributes.<name>}}`. Other braces are rejected. */
const template = /^(?:[^{}]|\{\{(?:email|id|attributes\.[A-Za-z0-9_-]{1,64})\}\})+$/;
const message = '$property may contain {{email}}, {{id}} and {{attributes.<name>}}, and no other braces';

/** Templates of an effective identity. */
export class IdentityTemplatesDto {
  /** Template of the username, for example `{{email}}`, `{{id}}` or `{{attributes.employee_id}}`. */
  @IsReadableText()
  @Length(1, 256)
  @Matches(template, { message })
  username!: string;

  /** RLS roles. Each is a literal or a template. */
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(50)
  @IsReadableText({ each: true })
  @MaxLength(128, { each: true })
  @Matches(template, { message, each: true })
  roles: string[] = [];

  /** Template of the custom data passed to the dataset; null for none. */
  @IsOptional()
  @IsReadableText()
  @Length(1, 1024)
  @Matches(template, { message })
  custom_data?: string | null;
}

/** Defines the effective identity of a viewer. */
export class IdentityPolicyDto extends IdentityTemplatesDto {
  /**
   * The identity of service accounts, instead of the one above. Without it, service accounts get no embed token for a dataset
   * whose policy has placeholders: all users of their backend would see the rows of one identity.
   */
  @OptionalField()
  @ValidateNested()
  @Type(() => IdentityTemplatesDto)
  service_accounts?: IdentityTemplatesDto;
}

export const templatesOf = ({ username, roles, custom_data }: IdentityTemplatesDto): IdentityTemplates => ({
  username,
  roles,
  custom_data: custom_data ?? null,
});
