import { Body, Controller, Delete, Get, Header, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import type { Response } from 'express';
import { AdminOnly, Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import { Idempotent } from '../../platform/idempotency/idempotency.interceptor.js';
import {
  CreateWebhookDto,
  ListWebhooksQuery,
  NewWebhookDto,
  UpdateWebhookDto,
  WebhookDto,
  WebhookListDto,
  WebhookSecretDto,
} from './dto/webhook.dto.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhooksService } from './webhooks.service.js';

@Controller('api/webhooks')
@AdminOnly()
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly secrets: WebhookSecretsService,
  ) {}

  /** Lists the webhooks. */
  @Get()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListWebhooksQuery,
    @Links() links: PageLinks,
  ): Promise<WebhookListDto> {
    return { webhooks: links.from(await this.webhooks.list(caller, query)).map(WebhookDto.from) };
  }

  /** Creates a webhook with its signing secret. It receives the events from now on, in order. */
  @Post()
  @Idempotent({ withhold: ['secret'] })
  @Header('Cache-Control', 'no-store')
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateWebhookDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewWebhookDto> {
    const { webhook, secret } = await this.webhooks.create(caller, body);
    response.setHeader('Location', `/api/webhooks/${webhook.id}`);
    return NewWebhookDto.with(webhook, secret);
  }

  /** Returns a webhook. */
  @Get(':id')
  async get(@PathId() id: string): Promise<WebhookDto> {
    return WebhookDto.from(await this.webhooks.get(id));
  }

  /** Changes URL, types or status. After `active`, delivery continues with the first event that was not delivered. */
  @Patch(':id')
  async update(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Body() body: UpdateWebhookDto,
  ): Promise<WebhookDto> {
    return WebhookDto.from(await this.webhooks.update(caller, id, body));
  }

  /** Deletes a webhook with its secrets and its deliveries. */
  @Delete(':id')
  @HttpCode(204)
  remove(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.webhooks.remove(caller, id);
  }

  /** Creates another signing secret. For 24 hours, deliveries have the signatures of both. */
  @Post(':id/secrets')
  @Idempotent({ withhold: ['secret'] })
  @Header('Cache-Control', 'no-store')
  async roll(@Caller() caller: Principal, @PathId() id: string): Promise<WebhookSecretDto> {
    return WebhookSecretDto.of(await this.secrets.roll(caller, id));
  }
}
