import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../core/config/config.js';
import { documentFile } from '../docs.js';
import { configurationReference } from './configuration.js';
import { personalDataReference } from './personal-data.js';
import { eventReference } from './events.js';
import { withGenerated } from './markdown.js';
import { routeTable } from './routes.js';

// Entry point of `npm run generate`: writes every generated file that is committed, below the given folder.
const folder = process.argv[2] ?? '.';
copyFileSync(documentFile, join(folder, 'openapi.json'));
const generated = {
  'ARCHITECTURE.md': routeTable('src'),
  'docs/configuration.md': configurationReference(settings()),
  'docs/events.md': eventReference(),
  'docs/personal-data.md': personalDataReference(),
};
for (const [document, text] of Object.entries(generated)) {
  writeFileSync(join(folder, document), withGenerated(document, text));
}
