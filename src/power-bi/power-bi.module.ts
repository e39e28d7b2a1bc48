import { Module } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { PowerBi } from './power-bi.service.js';

@Module({
  providers: [
    {
      provide: PowerBi,
      useFactory: (config: Config, clock: Clock) => new PowerBi(config.powerBi, { clock }),
      inject: [Config, Clock],
    },
  ],
  exports: [PowerBi],
})
export class PowerBiModule {}
