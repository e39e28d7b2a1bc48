import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly, Caller } from '../core/http/access.js';
import { IdParam } from '../core/validation/id.dto.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { UpdateUserDto } from '../users/dto/update-user.dto.js';
import { CreateSecretDto, CreateServiceAccountDto, SecretParams } from './dto/create-service-account.dto.js';
import { ListServiceAccountsQuery } from './dto/list-service-accounts.dto.js';
import {
  NewSecretDto,
  NewServiceAccountDto,
  ServiceAccountDto,
  ServiceAccountListDto,
} from './dto/service-account.dto.js';
import { ServiceAccountsService } from './service-accounts.service.js';

@Controller('api/service-accounts')
@AdminOnly()
export class ServiceAccountsController {
  constructor(private readonly accounts: ServiceAccountsService) {}

  /** Lists the accounts of programs. */
  @Get()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListServiceAccountsQuery,
    @Links() links: PageLinks,
  ): Promise<ServiceAccountListDto> {
    const { secrets, ...page } = await this.accounts.list(caller, query);
    return { service_accounts: links.from(page).map((account) => ServiceAccountDto.from(account, secrets)) };
  }

  /** Makes a service account with a first secret. It sees workspaces once it is granted them, as a member. */
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

  /** One service account, with the secrets that are good now. */
  @Get(':id')
  async get(@Param() { id }: IdParam): Promise<ServiceAccountDto> {
    const { account, secrets } = await this.accounts.get(id);
    return ServiceAccountDto.from(account, secrets);
  }

  /** Changes name, role, status or attributes. A disabled one is signed out everywhere at once. */
  @Patch(':id')
  async update(
    @Caller() caller: Principal,
    @Param() { id }: IdParam,
    @Body() changes: UpdateUserDto,
  ): Promise<ServiceAccountDto> {
    const { account, secrets } = await this.accounts.update(caller, id, changes);
    return ServiceAccountDto.from(account, secrets);
  }

  /** Ends it for good, with its secrets, sessions and grants. */
  @Delete(':id')
  @HttpCode(204)
  remove(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<void> {
    return this.accounts.remove(caller, id);
  }

  /** Makes another secret; the one before stays good until it runs out or is removed. */
  @Post(':id/secrets')
  @ApiBody({ type: CreateSecretDto, required: false })
  @Idempotent({ withhold: ['client_secret'] })
  @Header('Cache-Control', 'no-store')
  async rotate(
    @Caller() caller: Principal,
    @Param() { id }: IdParam,
    @Body() { expires_in_days }: CreateSecretDto = new CreateSecretDto(),
  ): Promise<NewSecretDto> {
    return NewSecretDto.of(await this.accounts.rotate(caller, id, expires_in_days));
  }

  /** Ends a secret and every session of the account: none of them can be told to be another secret's. */
  @Delete(':id/secrets/:secret_id')
  @HttpCode(204)
  revoke(@Caller() caller: Principal, @Param() { id, secret_id }: SecretParams): Promise<void> {
    return this.accounts.revoke(caller, id, secret_id);
  }
}
