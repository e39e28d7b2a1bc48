import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Page } from './page.js';
import { PortalFolder } from './portal-folder.js';
import { portalPage } from './portal-page.js';

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

/** The built portal as it was when the service started. What was not there then is not read, whatever a path says. */
@Injectable()
export class PortalFiles {
  /** Makes each answer; undefined where the portal is switched off or was not built. */
  readonly page: (() => Page) | undefined;
  private readonly names: ReadonlySet<string>;
  private readonly contents = new Map<string, Buffer>();

  constructor(
    config: Config,
    private readonly folder: PortalFolder,
  ) {
    this.names = new Set(filesIn(folder.path));
    if (!config.http.portalEnabled) return;
    const template = this.read('index.html')?.toString();
    if (template !== undefined) this.page = portalPage(template, config);
    else
      new Logger(PortalFiles.name).warn(`The portal is not built: there is no index.html in ${folder.path}`);
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  /** Kept once it was asked for. */
  read(name: string): Buffer | undefined {
    if (!this.has(name)) return undefined;
    const content = this.contents.get(name) ?? readFileSync(join(this.folder.path, name));
    this.contents.set(name, content);
    return content;
  }
}
