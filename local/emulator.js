// Plain JavaScript: it runs before anything is built, and must answer on an old Node too.
import { ensureBuilt, requireNode24 } from './build.js';

requireNode24();
await ensureBuilt();
await import('../dist/packages/power-bi-emulator/main.js');
