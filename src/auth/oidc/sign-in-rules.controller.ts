import { Controller, Get } from '@nestjs/common';
import { AdminOnly } from '../../core/http/access.js';
import { SignInRulesDto, UnresolvedReferenceDto } from './dto/sign-in-rules.dto.js';
import { SignInRulesService } from './sign-in-rules.service.js';

@Controller('api/settings/sign-in-rules')
@AdminOnly()
export class SignInRulesController {
  constructor(private readonly rules: SignInRulesService) {}

  /** Gets the workspaces, reports and groups that the sign-in rules name and that cannot be resolved. */
  @Get()
  async get(): Promise<SignInRulesDto> {
    return { unresolved: (await this.rules.listUnresolved()).map(UnresolvedReferenceDto.from) };
  }
}
