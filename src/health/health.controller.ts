import { Controller, Get } from '@nestjs/common';
import { Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { HealthDto } from './dto/health.dto.js';
import { HealthService } from './health.service.js';

@Controller('api/health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** Returns the health of the service and of its dependencies. */
  @Get()
  get(@Caller() caller: Principal): Promise<HealthDto> {
    return this.health.get(caller);
  }
}
