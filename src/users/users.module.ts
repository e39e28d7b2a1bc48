import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { BreachedPasswordsService } from './breached-passwords.service.js';
import { FirstAdminService } from './first-admin.service.js';
import { PasswordsService } from './passwords.service.js';
import { IdpProfileService } from './idp-profile.service.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([User])],
  controllers: [UsersController],
  providers: [UsersService, PasswordsService, BreachedPasswordsService, FirstAdminService, IdpProfileService],
  exports: [UsersService, PasswordsService, FirstAdminService, IdpProfileService],
})
export class UsersModule {}
