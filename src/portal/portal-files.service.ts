import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Injectable, Logger } from '@nestjs/common';
import type { CurrentBranding } from '../platform/branding/branding.queries.js';
import { Config } from '../core/config/config.js';
import type { Page } from './page.js';
import { portalPage } from './portal-page.js';

/** The built portal's folder: `dist/portal` of the package, whether the code runs from `src` or from `dist/src`. */
export class PortalFolder {
  readonly path = join(dirname(findPackageJSON('..', import.meta.url) ?? ''), 'dist', 'portal');
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Source maps are most of the bytes and only developer tools request them, so they are not kept in memory but read from
 * disk on request, if they still exist.
 */
const isSourceMap = (name: string): boolean => name.endsWith('.map');

function readIfPresent(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** The built portal, read into memory at startup: a later build removes files that open pages still reference. */
@Injectable()
export class PortalFilesService {
  /** Creates the page for each response; undefined when the portal is disabled or not built. */
  readonly page: ((branding: CurrentBranding) => Page) | undefined;
  /** Without the files that are here compressed, which nearly all clients accept. */
  private readonly contents: ReadonlyMap<string, Buffer>;
  private readonly sourceMaps: ReadonlySet<string>;

  constructor(
    config: Config,
    private readonly folder: PortalFolder,
  ) {
    const names = filesIn(folder.path);
    const all = new Set(names);
    const served = names.filter((name) => !isSourceMap(name) && !all.has(`${name}.gz`));
    this.sourceMaps = new Set(names.filter(isSourceMap));
    this.contents = new Map(served.map((name) => [name, readFileSync(join(folder.path, name))]));
    if (!config.http.portalEnabled) return;
    const template = this.read('index.html')?.toString();
    if (template !== undefined) this.page = portalPage(template, config);
    else
      new Logger(PortalFilesService.name).warn(
        `The portal is not built: ${folder.path} contains no index.html`,
      );
  }

  has(name: string): boolean {
    return this.contents.has(name) || this.contents.has(`${name}.gz`) || this.sourceMaps.has(name);
  }

  read(name: string): Buffer | undefined {
    if (this.sourceMaps.has(name)) return readIfPresent(join(this.folder.path, name));
    const compressed = this.contents.get(`${name}.gz`);
    return compressed === undefined ? this.contents.get(name) : gunzipSync(compressed);
  }
}
