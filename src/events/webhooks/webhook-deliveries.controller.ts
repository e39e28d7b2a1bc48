import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import { AdminOnly, Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import {
  ListDeliveriesQuery,
  RedeliverPeriodDto,
  RedeliveryDto,
  WebhookDeliveryDto,
  WebhookDeliveryListDto,
} from './dto/webhook.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookPingService } from './webhook-ping.service.js';

@Controller('api/webhooks')
@AdminOnly()
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: WebhookDeliveriesService,
    private readonly pings: WebhookPingService,
  ) {}

  /** Sends a message of type `webhook.ping` at once and returns the result, also for a disabled webhook. */
  @Post(':id/ping')
  @HttpCode(200)
  async ping(@Caller() caller: Principal, @PathId() id: string): Promise<WebhookDeliveryDto> {
    return WebhookDeliveryDto.from(await this.pings.ping(caller, id));
  }

  /** Lists the attempts of the last 30 days, newest first. */
  @Get(':id/deliveries')
  async list(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListDeliveriesQuery,
    @Links() links: PageLinks,
  ): Promise<WebhookDeliveryListDto> {
    const page = await this.deliveries.list(caller, id, query);
    return { deliveries: links.from(page).map(WebhookDeliveryDto.from) };
  }

  /** Sends the event of an attempt again, with the same `webhook-id`. */
  @Post(':id/deliveries/:delivery_id/redeliver')
  @HttpCode(202)
  async redeliver(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('delivery_id') delivery_id: string,
  ): Promise<RedeliveryDto> {
    return RedeliveryDto.from(await this.deliveries.redeliver(caller, id, delivery_id));
  }

  /** Sends the events of a period again, in order, as far as they match the types and are not older than 30 days. */
  @Post(':id/redeliver')
  @HttpCode(202)
  async redeliverPeriod(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Body() period: RedeliverPeriodDto,
  ): Promise<RedeliveryDto> {
    return RedeliveryDto.from(await this.deliveries.redeliverPeriod(caller, id, period));
  }
}
