import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { BreachedPasswords } from './breached-passwords.service.js';
import { FirstAdmin } from './first-admin.service.js';
import { Passwords } from './passwords.service.js';
import { ProvidedProfile } from './idp-profile.service.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([User])],
  controllers: [UsersController],
  providers: [UsersService, Passwords, BreachedPasswords, FirstAdmin, ProvidedProfile],
  exports: [UsersService, Passwords, FirstAdmin, ProvidedProfile],
})
export class UsersModule {}
