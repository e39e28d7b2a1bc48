import { Module } from '@nestjs/common';
import { TracesService } from './traces.service.js';

@Module({ providers: [TracesService], exports: [TracesService] })
export class TracingModule {}
