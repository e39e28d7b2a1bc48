import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { AdminOnly, Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { IdParam } from '../core/validation/id.dto.js';
import { UserErasureService } from './user-erasure.service.js';

@Controller('api/users/:id/erase')
@AdminOnly()
export class UserErasureController {
  constructor(private readonly erasure: UserErasureService) {}

  /** Erases the personal data of a disabled user. The audit trail keeps the user's id. */
  @Post()
  @HttpCode(204)
  erase(@Caller() caller: Principal, @Param() { id }: IdParam): Promise<void> {
    return this.erasure.erase(caller, id);
  }
}
