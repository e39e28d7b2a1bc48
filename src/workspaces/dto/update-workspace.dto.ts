import { IsBoolean } from 'class-validator';
import { OptionalField } from '../../core/validation/validators.js';

export class UpdateWorkspaceDto {
  /** Whether viewers may export the reports of the workspace. */
  @OptionalField()
  @IsBoolean()
  viewers_can_export?: boolean;
}
