import { MaxLength } from 'class-validator';
import { IsId, IsReadableText, OptionalField } from '../../../core/validation/validators.js';

export class CreateAccessRequestDto {
  /** The report. Either `report_id` or `workspace_id` is required. */
  @OptionalField()
  @IsId()
  report_id?: string;

  /** The workspace. */
  @OptionalField()
  @IsId()
  workspace_id?: string;

  /** Shown to those who decide. */
  @OptionalField()
  @IsReadableText()
  @MaxLength(500)
  reason?: string;
}
