import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, Length } from 'class-validator';
import { IsId, IsText, OptionalField } from '../../../core/validation/validators.js';
import { IsViewState } from '../../saved-views/dto/saved-view.dto.js';
import { type ExportFormat, exportFormats, MAX_EXPORT_PAGES } from '../formats.js';

export class CreateExportDto {
  /** Power BI reports: PDF, PPTX, PNG. Paginated reports: PDF, PPTX, XLSX, DOCX, CSV. */
  @IsIn(exportFormats)
  format!: ExportFormat;

  /** Names of the pages to export, in this order; all visible pages if omitted. Not for paginated reports. */
  @OptionalField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EXPORT_PAGES)
  @ArrayUnique()
  @IsText({ each: true })
  @Length(1, 200, { each: true })
  pages?: string[];

  /** State of a bookmark that the client captured, to export the current view, at most 65,536 bytes. Not for paginated reports. */
  @OptionalField()
  @IsViewState()
  view_state?: string;

  /** A saved view of the report, instead of `view_state`. Not for paginated reports. */
  @OptionalField()
  @IsId()
  view_id?: string;
}
