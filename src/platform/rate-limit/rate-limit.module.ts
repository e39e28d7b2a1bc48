import { Module } from '@nestjs/common';
import { ApiRateLimitsService } from './api-rate-limits.service.js';
import { LimitStoreService, redisClient } from './limit-store.service.js';
import { SignInLimitsService } from './sign-in-limits.service.js';
import { TokenLimitsService } from './token-limits.service.js';

@Module({
  providers: [ApiRateLimitsService, LimitStoreService, SignInLimitsService, TokenLimitsService, redisClient],
  exports: [ApiRateLimitsService, SignInLimitsService, TokenLimitsService],
})
export class RateLimitModule {}
