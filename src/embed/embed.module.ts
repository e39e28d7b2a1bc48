import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../platform/audit/audit.module.js';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { PowerBiModule } from '../power-bi/power-bi.module.js';
import { RateLimitModule } from '../platform/rate-limit/rate-limit.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { UsersModule } from '../users/users.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { EmbedCheckService } from './embed-check.service.js';
import { EmbedController } from './embed.controller.js';
import { IssuedEmbedToken } from './issued-token.entity.js';
import { IssuedTokensController } from './issued-tokens.controller.js';
import { IssuedTokensService } from './issued-tokens.service.js';
import { EmbedRevocation } from './embed-revocation.entity.js';
import { EmbedRevocationsService } from './embed-revocations.service.js';
import { EmbedRightsService } from './embed-rights.service.js';
import { EmbedService } from './embed.service.js';
import { EmbedTokensService } from './embed-tokens.service.js';
import { LocalCheckService } from './local-check.service.js';
import { MintedTokensService } from './minted-tokens.service.js';
import { TokenUsageService } from './token-usage.service.js';
import { PowerBiCheckService } from './power-bi-check.service.js';
import { RevocationService } from './revocation.service.js';

@Module({
  imports: [
    AuditModule,
    CatalogueModule,
    PowerBiModule,
    RateLimitModule,
    ReportsModule,
    UsersModule,
    WorkspacesModule,
    TypeOrmModule.forFeature([IssuedEmbedToken, EmbedRevocation]),
  ],
  controllers: [EmbedController, IssuedTokensController],
  providers: [
    EmbedService,
    EmbedTokensService,
    MintedTokensService,
    EmbedRightsService,
    IssuedTokensService,
    TokenUsageService,
    EmbedRevocationsService,
    RevocationService,
    EmbedCheckService,
    LocalCheckService,
    PowerBiCheckService,
  ],
  exports: [EmbedRightsService, EmbedService, IssuedTokensService, TokenUsageService],
})
export class EmbedModule {}
