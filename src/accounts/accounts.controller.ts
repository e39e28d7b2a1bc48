import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AdminOnly, Caller } from '../core/http/access.js';
import { IdParam } from '../core/validation/id.dto.js';
import type { Principal } from '../core/http/principal.js';
import { UserDto } from '../users/dto/user.dto.js';
import { UserErasureService } from './user-erasure.service.js';
import { AccountsService } from './accounts.service.js';
import { SessionDto, SessionListDto } from '../sessions/dto/session.dto.js';
import { UpdateUserDto } from './dto/update-user.dto.js';

@Controller('api/users/:id')
@AdminOnly()
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly erasure: UserErasureService,
  ) {}

  /** Changes somebody's name, role, status or attributes. */
  @Patch()
  async update(
    @Caller() caller: Principal,
    @Param() { id }: IdParam,
    @Body() changes: UpdateUserDto,
  ): Promise<UserDto> {
    return UserDto.from(await this.accounts.update(caller, id, changes));
  }

  /** Lists the sessions that somebody is signed in with. */
  @Get('sessions')
  async listSessions(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<SessionListDto> {
    const sessions = await this.accounts.sessionsOf(id);
    return { sessions: sessions.map((session) => SessionDto.from(session, caller.sessionId)) };
  }

  /** Signs somebody out everywhere. */
  @Delete('sessions')
  @HttpCode(204)
  endSessions(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<void> {
    return this.accounts.endSessionsOf(caller, id);
  }

  /** Removes everything that tells who somebody was. Only disabled people; the audit trail keeps their id. */
  @Post('erase')
  @HttpCode(204)
  erase(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<void> {
    return this.erasure.erase(caller, id);
  }
}
