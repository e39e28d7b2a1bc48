import { Controller, Get, Param, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '#openapi';
import { AdminOnly, Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { streamFile } from '../core/http/streamed-export.js';
import { IdParam } from '../core/validation/id.dto.js';
import { PersonalDataDto } from './dto/personal-data.dto.js';
import { PersonalExportService } from './personal-export.service.js';

@Controller('api/users')
export class PersonalExportController {
  constructor(private readonly exports: PersonalExportService) {}

  /** Downloads your personal data as a file. Contains everything that is stored about you, except secrets and their hashes. */
  @Get('me/export')
  @ApiOkResponse({ type: PersonalDataDto })
  exportOwn(@Caller() caller: Principal): Promise<StreamableFile> {
    return this.file(caller, caller.id);
  }

  /** Downloads the personal data of a user as a file. Contains everything that is stored about the user, except secrets and their hashes. */
  @Get(':id/export')
  @AdminOnly()
  @ApiOkResponse({ type: PersonalDataDto })
  export(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<StreamableFile> {
    return this.file(caller, id);
  }

  private file(caller: Principal, id: string): Promise<StreamableFile> {
    const name = `vitrine-personal-data-${id}.json`;
    return streamFile(this.exports.export(caller, id), 'application/json; charset=utf-8', name);
  }
}
