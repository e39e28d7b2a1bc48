import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module.js';
import { Config, settings } from '../core/config/config.js';
import { openApiDocument } from '../openapi-document.js';
import { applicationOptions } from '../configure-app.js';
import { configurationReference } from './configuration.js';
import { errorReference } from './errors.js';
import { personalDataReference } from './personal-data.js';
import { eventReference } from './events.js';

/** Preview mode instantiates no providers, so neither configuration nor a database is needed. */
async function openApi(): Promise<string> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(new Config()), {
    ...applicationOptions,
    preview: true,
    logger: false,
  });
  const document = `${JSON.stringify(openApiDocument(app), null, 2)}\n`;
  await app.close();
  return document;
}

// Entry point of `npm run generate`: writes every generated file that is committed, below the given folder.
const folder = process.argv[2] ?? '.';
writeFileSync(join(folder, 'openapi.json'), await openApi());
writeFileSync(join(folder, 'docs/configuration.md'), configurationReference(settings()));
writeFileSync(join(folder, 'docs/errors.md'), errorReference());
writeFileSync(join(folder, 'docs/personal-data.md'), personalDataReference());
writeFileSync(join(folder, 'docs/events.md'), eventReference());
