import { Module } from '@nestjs/common';
import { DrainService } from './drain.service.js';
import { LoadShedderService } from './load-shedder.service.js';

@Module({ providers: [DrainService, LoadShedderService], exports: [DrainService, LoadShedderService] })
export class HttpModule {}
