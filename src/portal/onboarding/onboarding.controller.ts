import { Body, Controller, Get, Put } from '@nestjs/common';
import { AdminOnly, Caller } from '../../core/http/access.js';
import type { Principal } from '../../core/http/principal.js';
import { OnboardingDto, UpdateOnboardingDto } from './dto/onboarding.dto.js';
import { OnboardingService } from './onboarding.service.js';

@Controller('api/settings/onboarding')
@AdminOnly()
export class OnboardingController {
  constructor(private readonly onboarding: OnboardingService) {}

  /** Gets the checklist of a new installation. `detail` explains what is missing. */
  @Get()
  async get(@Caller() caller: Principal): Promise<OnboardingDto> {
    return this.onboarding.get(caller);
  }

  /** Hides the checklist for all admins, or shows it again. */
  @Put()
  async update(
    @Caller() caller: Principal,
    @Body() { dismissed }: UpdateOnboardingDto,
  ): Promise<OnboardingDto> {
    return this.onboarding.setDismissed(caller, dismissed);
  }
}
