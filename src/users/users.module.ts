import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../platform/audit/audit.module.js';
import { LinkSecrets } from '../core/crypto/link-secrets.js';
import { BreachedPasswordsService } from './breached-passwords.service.js';
import { FirstAdminService } from './first-admin.service.js';
import { PasswordsService } from './passwords.service.js';
import { IdpProfileService } from './idp-profile.service.js';
import { PasswordReset, User } from './user.entity.js';
import { ResetLinksService } from './reset-links.service.js';
import { ServiceUsersService } from './service-users.service.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

const shared = [
  UsersService,
  ServiceUsersService,
  ResetLinksService,
  PasswordsService,
  FirstAdminService,
  IdpProfileService,
];

@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([User, PasswordReset])],
  controllers: [UsersController],
  providers: [...shared, LinkSecrets, BreachedPasswordsService],
  exports: shared,
})
export class UsersModule {}
