// Plain JavaScript: it runs before the build and must report an unsupported Node version.
import { ensureBuilt, requireNode24 } from './build.js';

requireNode24();
await ensureBuilt();
await import('../dist/local/main.js');
