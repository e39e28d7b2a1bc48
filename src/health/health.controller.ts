import { Controller, Get } from '@nestjs/common';
import { Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { HealthDto } from './dto/health.dto.js';
import { HealthService } from './health.service.js';

@Controller('api/health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** How the service and what it depends on are doing. */
  @Get()
  get(@Caller() caller: Principal): Promise<HealthDto> {
    return this.health.get(caller);
  }
}
