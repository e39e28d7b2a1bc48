import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { PowerBiService } from './power-bi.service.js';
import { SharedCall, SharedThrottleWindow } from './shared-throttle-window.entity.js';
import { Throttle } from './throttle.js';
import { realTiming } from './timing.js';

@Module({
  imports: [TypeOrmModule.forFeature([SharedThrottleWindow, SharedCall])],
  providers: [
    {
      provide: PowerBiService,
      useFactory: (
        { powerBi }: Config,
        clock: Clock,
        windows: Repository<SharedThrottleWindow>,
        calls: Repository<SharedCall>,
      ) =>
        new PowerBiService(powerBi, { clock, throttle: new Throttle(clock, realTiming, { windows, calls }) }),
      inject: [Config, Clock, getRepositoryToken(SharedThrottleWindow), getRepositoryToken(SharedCall)],
    },
  ],
  exports: [PowerBiService],
})
export class PowerBiModule {}
