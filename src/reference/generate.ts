import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../core/config/config.js';
import { documentFile } from '../docs.js';
import { configurationReference } from './configuration.js';
import { personalDataReference } from './personal-data.js';
import { eventReference } from './events.js';
import { withRouteTable } from './routes.js';

// Entry point of `npm run generate`: writes every generated file that is committed, below the given folder.
const folder = process.argv[2] ?? '.';
copyFileSync(documentFile, join(folder, 'openapi.json'));
writeFileSync(join(folder, 'docs/configuration.md'), configurationReference(settings()));
writeFileSync(join(folder, 'docs/personal-data.md'), personalDataReference());
writeFileSync(join(folder, 'docs/events.md'), eventReference());
writeFileSync(
  join(folder, 'ARCHITECTURE.md'),
  withRouteTable(readFileSync('ARCHITECTURE.md', 'utf8'), 'src'),
);
