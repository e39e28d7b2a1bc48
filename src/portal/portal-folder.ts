import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The built portal's folder: `dist/portal` of the package, whether the code runs from `src` or from `dist/src`. */
export class PortalFolder {
  readonly path = join(dirname(findPackageJSON('..', import.meta.url) ?? ''), 'dist', 'portal');
}
