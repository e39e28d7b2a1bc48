import { IsBoolean } from 'class-validator';
import { IsContactUrl } from '../../core/validation/contact-url.js';
import { Nullable, OptionalField } from '../../core/validation/validators.js';

export class UpdateWorkspaceDto {
  /** Whether viewers may export the reports of the workspace. */
  @OptionalField()
  @IsBoolean()
  viewers_can_export?: boolean;

  /** Who answers questions about the reports: `https:`, or `mailto:` with one address. Null removes it. */
  @OptionalField()
  @Nullable()
  @IsContactUrl()
  contact_url?: string | null;
}
