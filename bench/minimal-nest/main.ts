// A Nest app that does what every service must: a session from the database, validation, security headers, a line of the
// log. The service is compared with it (morning.ts): what is missing here costs nothing here.
import 'reflect-metadata';
import { Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { LoggerModule } from 'nestjs-pino';
import { Pool } from 'pg';
import { MorningController } from './morning.controller.js';
import { SessionStrategy } from './session.strategy.js';

const pool = {
  provide: Pool,
  useFactory: () => new Pool({ connectionString: process.env.DATABASE_URL, max: 10 }),
};

@Module({
  imports: [PassportModule, LoggerModule.forRoot()],
  controllers: [MorningController],
  providers: [SessionStrategy, pool],
})
class AppModule {}

const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
};

const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false });
app.disable('x-powered-by');
app.disable('etag');
app.use((request: Request, response: Response, next: NextFunction) => {
  response.set(headers);
  // For the benchmark, which waits until the app is ready.
  if (request.url === '/') response.json({});
  else next();
});
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
await app.listen(Number(process.env.PORT), '127.0.0.1');
