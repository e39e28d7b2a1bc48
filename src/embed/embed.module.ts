import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { PowerBiModule } from '../power-bi/power-bi.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { UsersModule } from '../users/users.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { EmbedCheckController } from './embed-check.controller.js';
import { EmbedCheck } from './embed-check.service.js';
import { EmbedController } from './embed.controller.js';
import { EmbedGrant } from './issued-token.entity.js';
import { EmbedGrantsController } from './issued-tokens.controller.js';
import { EmbedGrants } from './issued-tokens.service.js';
import { EmbedGrantUpkeep } from './issued-token-cleanup.service.js';
import { EmbedRevocation } from './embed-revocation.entity.js';
import { EmbedRevocations } from './embed-revocations.service.js';
import { EmbedRights } from './embed-rights.service.js';
import { EmbedService } from './embed.service.js';
import { EmbedTokens } from './embed-tokens.service.js';
import { HandOuts } from './token-usage.service.js';
import { PowerBiCheck } from './power-bi-check.service.js';
import { Revoking } from './revocation.service.js';
import { Viewers } from './viewer-identity.service.js';

@Module({
  imports: [
    AuditModule,
    CatalogueModule,
    PowerBiModule,
    ReportsModule,
    UsersModule,
    WorkspacesModule,
    TypeOrmModule.forFeature([EmbedGrant, EmbedRevocation]),
  ],
  controllers: [EmbedController, EmbedCheckController, EmbedGrantsController],
  providers: [
    EmbedService,
    EmbedTokens,
    EmbedRights,
    EmbedGrants,
    EmbedGrantUpkeep,
    HandOuts,
    EmbedRevocations,
    Revoking,
    Viewers,
    EmbedCheck,
    PowerBiCheck,
  ],
  exports: [EmbedService, EmbedGrants, EmbedGrantUpkeep, HandOuts],
})
export class EmbedModule {}
