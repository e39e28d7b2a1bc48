import { ApiPropertyOptional } from '#openapi';
import { ArrayMaxSize, IsArray, IsIn, IsString, MaxLength } from 'class-validator';
import { OptionalField } from '../../../core/validation/validators.js';
import { MAX_URL } from '../receiver-url.js';
import { type EventType, eventTypeNames } from '../../outbox/event-types.js';
import { type WebhookStatus, webhookStatuses } from '../webhook.entity.js';

export class CreateWebhookDto {
  /** The receiver: https on port 443 or 8443, with a public address. `WEBHOOK_ALLOWED_HOSTS` lists exceptions. */
  @IsString()
  @MaxLength(MAX_URL)
  url!: string;

  /** Types of the events to deliver. Empty: all types, also later ones. */
  @ApiPropertyOptional({ enum: eventTypeNames, isArray: true })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @IsIn(eventTypeNames, { each: true })
  types: EventType[] = [];
}

export class UpdateWebhookDto {
  @OptionalField()
  @IsString()
  @MaxLength(MAX_URL)
  url?: string;

  /** Types of the events to deliver. Empty: all types, also later ones. */
  @ApiPropertyOptional({ enum: eventTypeNames, isArray: true })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @IsIn(eventTypeNames, { each: true })
  types?: EventType[];

  /** `active` continues after the last delivered event. */
  @OptionalField()
  @IsIn(webhookStatuses)
  status?: WebhookStatus;
}
