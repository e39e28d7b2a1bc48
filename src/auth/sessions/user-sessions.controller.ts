import { Body, Controller, Delete, Get, HttpCode, Patch, Query } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import { AdminOnly, Caller } from '../../core/http/access.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import type { Principal } from '../../core/http/principal.js';
import { UpdateUserDto, UserDto } from '../../users/dto/user.dto.js';
import { UserSessionsService } from './user-sessions.service.js';
import { ListSessionsQuery, SessionDto, SessionListDto } from './dto/session.dto.js';

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

  /** Lists the active sessions of a user. */
  @Get('sessions')
  async listSessions(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Query() query: ListSessionsQuery,
    @Links() links: PageLinks,
  ): Promise<SessionListDto> {
    const sessions = links.from(await this.users.sessionsOf(caller, id, query));
    return { sessions: sessions.map((session) => SessionDto.from(session, caller.sessionId)) };
  }

  /** Ends all sessions of a user. */
  @Delete('sessions')
  @HttpCode(204)
  endSessions(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.users.endSessionsOf(caller, id);
  }
}
