import { Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { PathId } from '../../core/validation/path-id.js';
import { Caller } from '../../core/http/access.js';
import { Links, PageLinks } from '../../core/lists/pagination.js';
import type { Principal } from '../../core/http/principal.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { ListSessionsQuery, SessionDto, SessionListDto } from './dto/session.dto.js';
import { SessionsService } from './sessions.service.js';

@Controller('api/auth')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly database: DatabaseService,
  ) {}

  /** Ends the current session. Its access and refresh tokens become invalid. */
  @Post('logout')
  @HttpCode(204)
  logout(@Caller() { id: userId, sessionId: id }: Principal): Promise<void> {
    const ending = { userId, id, reason: 'signed_out', by: userId } as const;
    return this.database.transaction((tx) => this.sessions.end(tx, ending));
  }

  /** Lists your active sessions. */
  @Get('sessions')
  async list(
    @Caller() caller: Principal,
    @Query() query: ListSessionsQuery,
    @Links() links: PageLinks,
  ): Promise<SessionListDto> {
    const sessions = links.from(await this.sessions.list(caller, caller.id, query));
    return { sessions: sessions.map((session) => SessionDto.from(session, caller.sessionId)) };
  }

  /** Ends one of your sessions. */
  @Delete('sessions/:id')
  @HttpCode(204)
  end(@Caller() { id: userId }: Principal, @PathId() id: string): Promise<void> {
    const ending = { userId, id, reason: 'ended_by_user', by: userId } as const;
    return this.database.transaction((tx) => this.sessions.end(tx, ending));
  }

  /** Ends all of your sessions except the current one. */
  @Delete('sessions')
  @HttpCode(204)
  endOthers(@Caller() { id: userId, sessionId: except }: Principal): Promise<void> {
    const ending = { userId, except, reason: 'ended_by_user', by: userId } as const;
    return this.database.transaction((tx) => this.sessions.endAll(tx, ending));
  }
}
