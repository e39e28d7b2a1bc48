import { Module } from '@nestjs/common';
import { Drain } from './drain.service.js';
import { Load } from './load-shedder.service.js';

@Module({ providers: [Drain, Load], exports: [Drain, Load] })
export class HttpModule {}
