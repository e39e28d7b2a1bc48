import { ArrayMaxSize, IsArray, IsOptional, Length, Matches, MaxLength } from 'class-validator';
import { IsReadableText, OptionalField } from '../../core/validation/validators.js';

/** Literal text and `{{email}}`, `{{id}}`, `{{attributes.<name>}}`; no other braces. */
const template = /^(?:[^{}]|\{\{(?:email|id|attributes\.[A-Za-z0-9_-]{1,64})\}\})+$/;
const message = '$property may hold {{email}}, {{id}} and {{attributes.<name>}}, and no other braces';

/** Who a viewer is inside the data. */
export class IdentityPolicyDto {
  /** Template of the username: `{{email}}`, `{{id}}`, `{{attributes.employee_id}}`. */
  @IsReadableText()
  @Length(1, 256)
  @Matches(template, { message })
  username!: string;

  /** RLS roles, each fixed or a template. */
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(50)
  @IsReadableText({ each: true })
  @MaxLength(128, { each: true })
  @Matches(template, { message, each: true })
  roles: string[] = [];

  /** Handed to the dataset as it is; null: none. */
  @IsOptional()
  @IsReadableText()
  @Length(1, 1024)
  @Matches(template, { message })
  custom_data?: string | null;
}
