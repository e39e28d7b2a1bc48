import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import { AdminOnly, Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { Idempotent } from '../../platform/idempotency/idempotency.interceptor.js';
import { IdentityDto, IdentityListDto, LinkIdentityDto } from './dto/identity.dto.js';
import { IdentityLinkingService } from './identity-linking.service.js';
import { IdentityProviderService } from './identity-provider.service.js';

@Controller('api/users/:id/identities')
export class IdentitiesController {
  constructor(private readonly linking: IdentityLinkingService) {}

  /** Lists a user's identities at the identity provider. */
  @Get()
  @AdminOnly()
  async list(@PathId() id: string): Promise<IdentityListDto> {
    return { identities: (await this.linking.list(id)).map(IdentityDto.from) };
  }

  /**
   * Links an identity, so that the user can sign in through the identity provider with it. It is given either by `subject`,
   * or by `tenant_id` and `object_id`.
   */
  @Post()
  @AdminOnly()
  @Idempotent({ preparation: IdentityProviderService })
  async link(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Body() body: LinkIdentityDto,
  ): Promise<IdentityDto> {
    return IdentityDto.from(await this.linking.link(caller, id, body));
  }

  /** Unlinks an identity. Removes the access it provided and ends the sessions opened through the identity provider. */
  @Delete(':identity_id')
  @AdminOnly()
  @HttpCode(204)
  async unlink(
    @Caller() caller: Principal,
    @PathId() id: string,
    @PathId('identity_id') identity_id: string,
  ): Promise<void> {
    await this.linking.unlink(caller, id, identity_id);
  }
}
