import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { LinkSecrets } from '../../core/crypto/link-secrets.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { UsersModule } from '../../users/users.module.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';
import { ServiceAccountSecret } from './service-account-secret.entity.js';
import { ServiceAccountSecretsService } from './service-account-secrets.service.js';
import { ServiceAccountsController } from './service-accounts.controller.js';
import { ServiceAccountsService } from './service-accounts.service.js';

@Module({
  imports: [
    AuditModule,
    SessionsModule,
    UsersModule,
    WorkspacesModule,
    TypeOrmModule.forFeature([ServiceAccountSecret]),
  ],
  controllers: [ServiceAccountsController],
  providers: [ServiceAccountsService, ServiceAccountSecretsService, LinkSecrets],
  exports: [ServiceAccountSecretsService],
})
export class ServiceAccountsModule {}
