import { type Import, importsOf, repositoriesOf, type Source, wordsOf } from './module-graph.js';

/** What each folder of `src/` may import besides itself. The order is the one-way order of the house. */
const shared = ['common', 'config', 'database', 'audit', 'mail', 'power-bi', 'idempotency'];
export const allowed: Record<string, string[]> = {
  config: ['common'],
  common: ['config'],
  database: ['common', 'config'],
  audit: ['common', 'config', 'database'],
  mail: ['common', 'config', 'database'],
  'power-bi': ['common', 'config', 'database'],
  idempotency: ['common', 'config', 'database'],
  users: shared,
  workspaces: [...shared, 'users'],
  invitations: [...shared, 'users', 'workspaces'],
  auth: [...shared, 'users', 'workspaces', 'invitations'],
  reports: [...shared, 'users', 'workspaces'],
  catalogue: [...shared, 'users', 'workspaces', 'reports'],
  embed: [...shared, 'users', 'workspaces', 'reports', 'catalogue'],
  http: ['common', 'config'],
  health: shared,
  portal: ['common', 'config'],
  tracing: ['common', 'config'],
  // Looks at everybody, and nobody knows it.
  metrics: [...shared, 'users', 'catalogue', 'embed', 'health'],
};

/** Top-level files, the command line and what is made from the code put the modules together: they may import any. */
const composing = new Set(['', 'cli', 'reference']);

export const folderOf = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? '';

/** Each rule gives one line for each breach. */
export type Rule = (sources: readonly Source[]) => string[];

export const onlyDownwards: Rule = (sources) =>
  sources.flatMap(importsOf).flatMap(({ from, to }) => {
    const [folder, target] = [folderOf(from), folderOf(to)];
    if (!to.startsWith('src/') || composing.has(folder) || folder === target) return [];
    return allowed[folder]?.includes(target) ? [] : [`${from} imports ${to}`];
  });

export const everyFolderIsPlaced: Rule = (sources) =>
  [...new Set(sources.map(({ path }) => folderOf(path)))]
    .filter((folder) => !composing.has(folder) && allowed[folder] === undefined)
    .map((folder) => `src/${folder} has no place in the order`);

export const nothingOutsideSource: Rule = (sources) =>
  sources
    .flatMap(importsOf)
    .filter(({ to }) => /^(emulator|local|test|bench|deploy|portal|\.\.)\//.test(to))
    .map(({ from, to }) => `${from} imports ${to}`);

const entityOf = (sources: readonly Source[]): Map<string, string> =>
  new Map(
    sources
      .filter(({ path }) => path.endsWith('.entity.ts'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/export class (\w+)/g)].map(
          ([, name]) => [name as string, folderOf(path)] as const,
        ),
      ),
  );

export const ownRepositoriesOnly: Rule = (sources) => {
  const owners = entityOf(sources);
  return sources.flatMap((source) =>
    repositoriesOf(source)
      .filter((entity) => owners.get(entity) !== folderOf(source.path))
      .map((entity) => `${source.path} injects the repository of ${entity}`),
  );
};

/** Words of Microsoft's interface that mean nothing in ours. */
const microsoft =
  /^(isEffectiveIdentity\w*|isOnDedicatedCapacity|lifetimeInMinutes|allowEdit|targetWorkspaces|GenerateToken|embedUrlBase|datasetId|reportType|groupId|tokenId|AADSTS\d*|x-ms-[\w-]+|x-powerbi-[\w-]+)$/;
/** Our own columns, and what the client itself asks for, that happen to be called the same. */
const ours = new Set(['reportType', 'tokenId', 'allowEdit']);

export const microsoftInOnePlace: Rule = (sources) =>
  sources
    .filter(({ path }) => folderOf(path) !== 'power-bi')
    .flatMap((source) =>
      [...wordsOf(source)]
        .filter((word) => microsoft.test(word) && !ours.has(word))
        .map((word) => `${source.path} says ${word}`),
    );

export const environmentInOnePlace: Rule = (sources) =>
  sources
    .filter(({ path, text }) => folderOf(path) !== 'config' && /process\s*(\.|\[\s*['"])\s*env/.test(text))
    .map(({ path }) => `${path} reads the environment`);

/** Decorators of class-validator that accept other forms than the database does, or that no request can fulfil. */
const otherTimes = /\b(IsISO8601|IsRFC3339|IsDateString|IsDate)\(/;

export const timesInOnePlace: Rule = (sources) =>
  sources
    .filter(({ text }) => otherTimes.test(text))
    .map(({ path }) => `${path} validates a time without IsTime`);

const dtoNames = /(Dto|Query|Params?|Body)$/;

const usedInConstructor = ({ text }: Source, name: string): boolean =>
  new RegExp(`constructor\\([^{]*:\\s*${name}\\b`).test(text);

function isNeeded(source: Source, { to, names }: Import): boolean {
  if (source.path.endsWith('.controller.ts')) {
    return to.endsWith('.dto.ts') || names.some((name) => dtoNames.test(name));
  }
  return to.endsWith('.service.ts') && names.some((name) => usedInConstructor(source, name));
}

/** The metadata of an erased class is `Function`: validation and injection would be off, silently. */
export const classesAtRunTime: Rule = (sources) =>
  sources
    .filter(({ path }) => /\.(controller|service|guard|strategy|pipe|filter)\.ts$/.test(path))
    .flatMap((source) =>
      importsOf(source)
        .filter((imported) => imported.typeOnly && isNeeded(source, imported))
        .map(({ from, to }) => `${from} imports only the type of ${to}`),
    );
