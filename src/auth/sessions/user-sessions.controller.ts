import { Body, Controller, Delete, Get, HttpCode, Patch } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import { AdminOnly, Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { UpdateUserDto, UserDto } from '../../users/dto/user.dto.js';
import { UserSessionsService } from './user-sessions.service.js';
import { SessionDto, SessionListDto } from './dto/session.dto.js';

@Controller('api/users/:id')
@AdminOnly()
export class UserSessionsController {
  constructor(private readonly users: UserSessionsService) {}

  /** Changes a user's name, email address, role, status or attributes. */
  @Patch()
  async update(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Body() changes: UpdateUserDto,
  ): Promise<UserDto> {
    return UserDto.from(await this.users.update(caller, id, changes));
  }

  /** Lists the sessions of a user. Contains at most the 1,000 that were used last. */
  @Get('sessions')
  async listSessions(@Caller() caller: Principal, @PathId() id: string): Promise<SessionListDto> {
    const sessions = await this.users.sessionsOf(id);
    return { sessions: sessions.map((session) => SessionDto.from(session, caller.sessionId)) };
  }

  /** Ends all sessions of a user. */
  @Delete('sessions')
  @HttpCode(204)
  endSessions(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.users.endSessionsOf(caller, id);
  }
}
