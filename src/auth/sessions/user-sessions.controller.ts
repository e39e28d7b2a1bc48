import { Body, Controller, Delete, Get, HttpCode, Param, Patch } from '@nestjs/common';
import { AdminOnly, Caller } from '../../core/http/access.js';
import { IdParam } from '../../core/validation/id.dto.js';
import type { Principal } from '../../core/http/principal.js';
import { UserDto } from '../../users/dto/user.dto.js';
import { UserSessionsService } from './user-sessions.service.js';
import { SessionDto, SessionListDto } from './dto/session.dto.js';
import { UpdateUserDto } from '../../users/dto/update-user.dto.js';

@Controller('api/users/:id')
@AdminOnly()
export class UserSessionsController {
  constructor(private readonly users: UserSessionsService) {}

  /** Changes a user's name, email address, role, status or attributes. */
  @Patch()
  async update(
    @Caller() caller: Principal,
    @Param() { id }: IdParam,
    @Body() changes: UpdateUserDto,
  ): Promise<UserDto> {
    return UserDto.from(await this.users.update(caller, id, changes));
  }

  /** Lists the sessions of a user. Contains at most the 1,000 that were used last. */
  @Get('sessions')
  async listSessions(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<SessionListDto> {
    const sessions = await this.users.sessionsOf(id);
    return { sessions: sessions.map((session) => SessionDto.from(session, caller.sessionId)) };
  }

  /** Ends all sessions of a user. */
  @Delete('sessions')
  @HttpCode(204)
  endSessions(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<void> {
    return this.users.endSessionsOf(caller, id);
  }
}
