import { Controller, Get, HttpCode, Post, Req, type StreamableFile } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { ApiOkResponse } from '#openapi';
import type { Request } from 'express';
import { AdminOnly, Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { streamFile } from '../core/http/streamed-export.js';
import { PersonalDataDto } from './dto/personal-data.dto.js';
import { PersonalExportService } from './personal-export.service.js';
import { UserErasureService } from './user-erasure.service.js';

@Controller('api/users')
export class PersonalExportController {
  constructor(
    private readonly exports: PersonalExportService,
    private readonly erasure: UserErasureService,
  ) {}

  /** Erases the personal data of a disabled user. The audit trail keeps the user's id. */
  @Post(':id/erase')
  @AdminOnly()
  @HttpCode(204)
  erase(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.erasure.erase(caller, id);
  }

  /** Downloads your personal data as a file. Contains everything that is stored about you, except secrets and their hashes. */
  @Get('me/export')
  @ApiOkResponse({ type: PersonalDataDto })
  exportOwn(@Caller() caller: Principal, @Req() request: Request): Promise<StreamableFile> {
    return this.file(caller, caller.id, request);
  }

  /** Downloads the personal data of a user as a file. Contains everything that is stored about the user, except secrets and their hashes. */
  @Get(':id/export')
  @AdminOnly()
  @ApiOkResponse({ type: PersonalDataDto })
  export(
    @Caller() caller: Principal,
    @PathId() id: string,
    @Req() request: Request,
  ): Promise<StreamableFile> {
    return this.file(caller, id, request);
  }

  /** Nest serves HEAD with the handler of GET. */
  private file(caller: Principal, id: string, { method }: Request): Promise<StreamableFile> {
    const chunks = this.exports.export(caller, id, { onlyHeaders: method === 'HEAD' });
    return streamFile(chunks, 'application/json; charset=utf-8', `vitrine-personal-data-${id}.json`);
  }
}
