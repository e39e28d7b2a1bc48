import { Module } from '@nestjs/common';
import { Traces } from './traces.service.js';

@Module({ providers: [Traces], exports: [Traces] })
export class TracingModule {}
