import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { Config } from './config/config.js';
import { openApiDocument } from './openapi-document.js';

// The program behind `npm run openapi`. In preview nothing is instantiated: neither settings nor a database are needed.
const app = await NestFactory.create<NestExpressApplication>(AppModule.of(new Config()), {
  preview: true,
  logger: false,
});
writeFileSync(process.argv[2] ?? 'openapi.json', `${JSON.stringify(openApiDocument(app), null, 2)}\n`);
await app.close();
