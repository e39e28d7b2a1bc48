import { Body, Controller, Delete, Get, Put, Query } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { AdminOnly, Caller } from '../core/http/access.js';
import { Links, PageLinks } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { DatasetsService } from './datasets.service.js';
import { DatasetDto, DatasetListDto, ListDatasetsQuery } from './dto/dataset.dto.js';
import { IdentityPolicyDto, templatesOf } from './dto/identity-policy.dto.js';

@Controller('api/datasets')
@AdminOnly()
export class DatasetsController {
  constructor(private readonly datasets: DatasetsService) {}

  /** Lists the datasets that reports use. */
  @Get()
  async list(
    @Caller() caller: Principal,
    @Query() query: ListDatasetsQuery,
    @Links() links: PageLinks,
  ): Promise<DatasetListDto> {
    return { datasets: links.from(await this.datasets.list(caller, query)).map(DatasetDto.from) };
  }

  /** Gets a dataset. */
  @Get(':id')
  async get(@PathId() id: string): Promise<DatasetDto> {
    return DatasetDto.from(await this.datasets.get(id));
  }

  /** Sets the identity policy of a dataset, which defines the effective identity of its viewers. */
  @Put(':id/identity-policy')
  async setPolicy(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Body() { service_accounts, ...people }: IdentityPolicyDto,
  ): Promise<DatasetDto> {
    const policy = {
      ...templatesOf(people),
      ...(service_accounts !== undefined && { service_accounts: templatesOf(service_accounts) }),
    };
    return DatasetDto.from(await this.datasets.setPolicy(caller, id, policy));
  }

  /**
   * Removes the identity policy of a dataset. If the dataset requires an identity, its reports can no longer be
   * embedded.
   */
  @Delete(':id/identity-policy')
  async clearPolicy(@Caller() caller: Principal, @PathId() id: string): Promise<DatasetDto> {
    return DatasetDto.from(await this.datasets.setPolicy(caller, id, null));
  }
}
