import { ApiProperty } from '#openapi';
import { IsBoolean } from 'class-validator';

export const onboardingCodes = [
  'power_bi',
  'first_sync',
  'mail',
  'first_invitation',
  'identity_policies',
  'branding',
] as const;

export type OnboardingCode = (typeof onboardingCodes)[number];

export class OnboardingItemDto {
  @ApiProperty({ enum: onboardingCodes })
  code!: OnboardingCode;
  done!: boolean;
  /** What is missing. */
  detail?: string;
}

export class OnboardingDto {
  items!: OnboardingItemDto[];
  /** When an admin hid the checklist, for all admins; null while it is shown. */
  dismissed_at!: Date | null;
}

export class UpdateOnboardingDto {
  /** Whether the checklist is hidden, for all admins. */
  @IsBoolean()
  dismissed!: boolean;
}
