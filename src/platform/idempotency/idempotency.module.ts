import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';

/** Global, because Nest creates the interceptor of a route in the module of that route. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [IdempotencyKeysService],
  exports: [IdempotencyKeysService],
})
export class IdempotencyModule {}
