import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { EmbedHosts } from './embed-hosts.js';
import { PowerBi } from './power-bi.service.js';
import { SharedCall, SharedPause } from './shared-throttle-window.entity.js';
import { SharedPauses } from './shared-throttle-windows.js';

@Module({
  imports: [TypeOrmModule.forFeature([SharedPause, SharedCall])],
  providers: [
    {
      provide: EmbedHosts,
      useFactory: ({ powerBi }: Config) => new EmbedHosts(powerBi),
      inject: [Config],
    },
    {
      provide: PowerBi,
      useFactory: (
        { powerBi }: Config,
        clock: Clock,
        pauses: Repository<SharedPause>,
        calls: Repository<SharedCall>,
      ) => new PowerBi(powerBi, { clock, pauses: new SharedPauses(pauses, calls, clock) }),
      inject: [Config, Clock, getRepositoryToken(SharedPause), getRepositoryToken(SharedCall)],
    },
  ],
  exports: [PowerBi, EmbedHosts],
})
export class PowerBiModule {}
