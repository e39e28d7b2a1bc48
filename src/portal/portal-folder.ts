import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** Where the built portal is: `dist/portal` of the package, whether this runs from `src` or `dist/src`. */
export class PortalFolder {
  readonly path = join(dirname(findPackageJSON('..', import.meta.url) ?? ''), 'dist', 'portal');
}
