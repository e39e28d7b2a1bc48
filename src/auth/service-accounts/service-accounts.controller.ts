import { Body, Controller, Delete, Get, Header, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import { ApiBody } from '#openapi';
import type { Response } from 'express';
import { AdminOnly, Caller } from '../../core/http/access.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import type { Principal } from '../../core/http/principal.js';
import { Idempotent } from '../../platform/idempotency/idempotency.interceptor.js';
import {
  CreateSecretDto,
  CreateServiceAccountDto,
  ListServiceAccountsQuery,
  NewSecretDto,
  NewServiceAccountDto,
  ServiceAccountDto,
  ServiceAccountListDto,
  UpdateServiceAccountDto,
} from './dto/service-account.dto.js';
import { ServiceAccountSecretsService } from './service-account-secrets.service.js';
import { ServiceAccountsService } from './service-accounts.service.js';

@Controller('api/service-accounts')
@AdminOnly()
export class ServiceAccountsController {
  constructor(
    private readonly accounts: ServiceAccountsService,
    private readonly secrets: ServiceAccountSecretsService,
  ) {}

  /** Lists the service accounts. */
  @Get()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListServiceAccountsQuery,
    @Links() links: PageLinks,
  ): Promise<ServiceAccountListDto> {
    const { secrets, ...page } = await this.accounts.list(caller, query);
    return { service_accounts: links.from(page).map((account) => ServiceAccountDto.from(account, secrets)) };
  }

  /** Creates a service account with its first secret. It can access a workspace once it is added as a member. */
  @Post()
  @Idempotent({ withhold: ['client_secret'] })
  @Header('Cache-Control', 'no-store')
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateServiceAccountDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewServiceAccountDto> {
    const { account, secret } = await this.accounts.create(caller, body);
    response.setHeader('Location', `/api/service-accounts/${account.id}`);
    return NewServiceAccountDto.with(account, secret);
  }

  /** Returns a service account with its valid secrets. */
  @Get(':id')
  async get(@PathId() id: string): Promise<ServiceAccountDto> {
    const { account, secrets } = await this.accounts.get(id);
    return ServiceAccountDto.from(account, secrets);
  }

  /** Changes name, role, status, scopes or attributes. Disabling a service account ends all its sessions immediately. */
  @Patch(':id')
  async update(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Body() changes: UpdateServiceAccountDto,
  ): Promise<ServiceAccountDto> {
    const { account, secrets } = await this.accounts.update(caller, id, changes);
    return ServiceAccountDto.from(account, secrets);
  }

  /** Deletes a service account permanently, with its secrets, sessions and grants. */
  @Delete(':id')
  @HttpCode(204)
  remove(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.accounts.remove(caller, id);
  }

  /** Creates another secret. The existing secret stays valid until it expires or is revoked. */
  @Post(':id/secrets')
  @ApiBody({ type: CreateSecretDto, required: false })
  @Idempotent({ withhold: ['client_secret'] })
  @Header('Cache-Control', 'no-store')
  async rotate(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Body() { expires_in_days }: CreateSecretDto = new CreateSecretDto(),
  ): Promise<NewSecretDto> {
    return NewSecretDto.of(await this.secrets.rotate(caller, id, expires_in_days));
  }

  /** Revokes a secret and ends all sessions of the service account, because a session does not record which secret opened it. */
  @Delete(':id/secrets/:secret_id')
  @HttpCode(204)
  revoke(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('secret_id') secret_id: string,
  ): Promise<void> {
    return this.secrets.revoke(caller, id, secret_id);
  }
}
