import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '#openapi';
import { Public } from '../core/http/access.js';
import { Problem } from '../core/problems/problem.js';
import { ReadinessService } from './readiness.service.js';

interface Probe {
  status: 'ok';
}

/** Orchestrator probes: liveness checks no dependency, readiness means that requests can be served. */
@Controller()
@ApiExcludeController()
@Public()
export class ProbesController {
  constructor(private readonly readiness: ReadinessService) {}

  @Get('livez')
  @Header('Cache-Control', 'no-store')
  live(): Probe {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Header('Cache-Control', 'no-store')
  async ready(): Promise<Probe> {
    if (!(await this.readiness.isReady())) {
      throw new Problem('service_unavailable', 'The service is not ready.', { retryAfter: 1 });
    }
    return { status: 'ok' };
  }
}
