import { Body, Controller, HttpCode, Put } from '@nestjs/common';
import { Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { ChangePasswordDto } from './dto/change-password.dto.js';
import { PasswordChangeService } from './password-change.service.js';

@Controller('api/users/me/password')
export class PasswordChangeController {
  constructor(private readonly password: PasswordChangeService) {}

  /** Changes your password. Ends your other sessions; the current one stays active. */
  @Put()
  @HttpCode(204)
  change(@Caller() caller: Principal, @Body() body: ChangePasswordDto): Promise<void> {
    return this.password.change(caller, body);
  }
}
