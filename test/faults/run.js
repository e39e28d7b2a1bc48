// Plain JavaScript: it runs before the build, also on an old Node, where it reports the required version.
import { ensureBuilt, requireNode24 } from '../../local/build.js';

requireNode24();
await ensureBuilt();
await import('../../dist/test/faults/main.js');
