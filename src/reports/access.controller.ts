import { Controller, Get, Query } from '@nestjs/common';
import { Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { AccessService } from './access.service.js';
import { ExplainQuery, ExplanationDto } from './dto/explain.dto.js';

@Controller('api/access')
export class AccessController {
  constructor(private readonly access: AccessService) {}

  /**
   * Explains whether a user can access a report, and why. Available to admins and to managers of the report's
   * workspace.
   */
  @Get('explain')
  explain(@Caller() caller: Principal, @Query() query: ExplainQuery): Promise<ExplanationDto> {
    return this.access.explain(caller, query);
  }
}
