import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { EmbedHosts } from './embed-hosts.js';
import { PowerBiService } from './power-bi.service.js';
import { SharedCall, SharedThrottleWindow } from './shared-throttle-window.entity.js';
import { SharedThrottleWindows } from './shared-throttle-windows.js';

@Module({
  imports: [TypeOrmModule.forFeature([SharedThrottleWindow, SharedCall])],
  providers: [
    {
      provide: EmbedHosts,
      useFactory: ({ powerBi }: Config) => new EmbedHosts(powerBi),
      inject: [Config],
    },
    {
      provide: PowerBiService,
      useFactory: (
        { powerBi }: Config,
        clock: Clock,
        throttleWindows: Repository<SharedThrottleWindow>,
        calls: Repository<SharedCall>,
      ) =>
        new PowerBiService(powerBi, {
          clock,
          throttleWindows: new SharedThrottleWindows(throttleWindows, calls, clock),
        }),
      inject: [Config, Clock, getRepositoryToken(SharedThrottleWindow), getRepositoryToken(SharedCall)],
    },
  ],
  exports: [PowerBiService, EmbedHosts],
})
export class PowerBiModule {}
