import { ApiProperty, ApiPropertyOptional } from '#openapi';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import {
  type EventKind,
  eventKinds,
  MAX_PAGE_NAME,
  type RejectionCode,
  rejectionCodes,
} from '../usage-event.js';

const MAX_EVENTS = 50;

/** One event of a view: one opening of a report. */
export class UsageEventDto {
  /** Random id of the opening. A renewed token keeps it. */
  view_id!: string;
  /** `token_id` of the embed token. It must be one of your own. */
  @ApiProperty({ format: 'uuid' })
  token_id!: string;
  /** 0 to 4095, unique within the view. A repeated event counts once. */
  seq!: number;
  @ApiProperty({ enum: eventKinds })
  kind!: EventKind;
  /** Epoch milliseconds of the server's clock. */
  at_ms!: number;
  /** Id of the page; required for `page`. */
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_PAGE_NAME })
  page?: string;
  /** Display name of the page, for `page`. */
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_PAGE_NAME })
  page_name?: string;
  /** Milliseconds from the request to `loaded` or `rendered`; visible time of the view so far for `closed`. */
  ms?: number;
  /** Error code of Power BI, for `error`. */
  @ApiPropertyOptional({ minLength: 1, maxLength: 64 })
  code?: string;
}

export class UsageEventsDto {
  @ApiProperty({ type: [UsageEventDto], minItems: 1, maxItems: MAX_EVENTS })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EVENTS)
  events!: unknown[];
}

export class RejectedEventDto {
  /** Position in `events`. */
  index!: number;
  @ApiProperty({ enum: rejectionCodes })
  code!: RejectionCode;
}

export class IngestedEventsDto {
  accepted!: number;
  rejected!: RejectedEventDto[];
}
