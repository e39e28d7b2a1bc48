import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from './markdown.js';

interface Controller {
  /** Below `src/`. */
  file: string;
  /** Paths of its routes, without methods. */
  paths: string[];
}

const controllerPath = /^@(Scim)?Controller\((?:'(.*)')?/m;
const routePath = /^ {2}@(?:Get|Post|Put|Patch|Delete)\((?:'(.*?)')?/gm;

function controllerOf(file: string, text: string): Controller {
  const [, scim, base = ''] = controllerPath.exec(text) ?? [];
  const prefix = scim === undefined ? base : join('scim/v2', base);
  return { file, paths: [...text.matchAll(routePath)].map(([, path = '']) => join('/', prefix, path)) };
}

/** `/api/reports/:id` belongs to `/api/reports`, `/scim/v2/Users` to `/scim`. */
const prefixOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('/api/') ? 3 : 2)
    .join('/');

/** A Markdown table of the first segments of all paths, and the files in the folder of sources that handle them. */
export function routeTable(source: string): string {
  const files = new Map<string, Set<string>>();
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).toSorted();
  for (const name of names.filter((each) => each.endsWith('.controller.ts'))) {
    const { file, paths } = controllerOf(name, readFileSync(join(source, name), 'utf8'));
    for (const prefix of paths.map(prefixOf)) files.set(prefix, (files.get(prefix) ?? new Set()).add(file));
  }
  const rows = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return table(
    ['path', 'controllers in `src/`'],
    rows.map(([prefix, found]) => [`\`${prefix}\``, [...found].map((file) => `\`${file}\``).join(', ')]),
  );
}
