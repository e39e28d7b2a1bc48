import { Controller, HttpCode, Post } from '@nestjs/common';
import { PathId } from '../core/validation/path-id.js';
import { AdminOnly, Caller } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { UserErasureService } from './user-erasure.service.js';

@Controller('api/users/:id/erase')
@AdminOnly()
export class UserErasureController {
  constructor(private readonly erasure: UserErasureService) {}

  /** Erases the personal data of a disabled user. The audit trail keeps the user's id. */
  @Post()
  @HttpCode(204)
  erase(@Caller() caller: Principal, @PathId() id: string): Promise<void> {
    return this.erasure.erase(caller, id);
  }
}
