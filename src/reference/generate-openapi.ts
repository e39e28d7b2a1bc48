import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module.js';
import { Config } from '../core/config/config.js';
import { openApiDocument } from '../openapi-document.js';
import { applicationOptions } from '../configure-app.js';

// Entry point of the last step of the build, which runs with `--conditions=openapi`: writes the document to the given file.
// Preview mode instantiates no providers, so neither configuration nor a database is needed.
const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(new Config()), {
  ...applicationOptions,
  preview: true,
  logger: false,
});
writeFileSync(process.argv[2] ?? 'openapi.json', `${JSON.stringify(openApiDocument(app), null, 2)}\n`);
await app.close();
