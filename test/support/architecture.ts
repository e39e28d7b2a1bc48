import {
  type Import,
  importsOf,
  injectionsOf,
  repositoriesOf,
  type Source,
  wordsOf,
} from './module-graph.js';

/** The modules that features build on. */
const foundation = [
  'core',
  'platform/jobs',
  'events/outbox',
  'platform/audit',
  'platform/branding',
  'platform/mail',
  'platform/rate-limit',
  'platform/idempotency',
  'power-bi',
];
const holders = [...foundation, 'users', 'access/groups', 'access/grants', 'workspaces'];
const access = [...holders, 'reports', 'invitations', 'auth/sessions'];

/** What each module of `src/` may import besides itself. Dependencies are one-way, in this order. */
export const allowed: Record<string, string[]> = {
  core: [],
  'platform/jobs': ['core'],
  'platform/mail': ['core', 'platform/branding'],
  'platform/rate-limit': ['core'],
  'power-bi': ['core'],
  'events/outbox': ['core', 'platform/jobs'],
  'platform/audit': ['core', 'platform/jobs', 'events/outbox'],
  'platform/branding': ['core', 'platform/audit'],
  'platform/idempotency': ['core', 'platform/jobs'],
  users: foundation,
  'access/groups': [...foundation, 'users'],
  'access/grants': [...foundation, 'access/groups'],
  workspaces: [...foundation, 'users', 'access/groups', 'access/grants'],
  invitations: [...holders, 'reports'],
  'audit-trail': ['core', 'platform/audit', 'users', 'access/groups', 'invitations'],
  'auth/sessions': [...holders, 'invitations'],
  'auth/passwords': access,
  'auth/service-accounts': access,
  'auth/oidc': access,
  auth: [...access, 'auth/passwords', 'auth/service-accounts', 'auth/oidc'],
  'events/stream': ['core', 'events/outbox', 'auth'],
  reports: holders,
  'reports/saved-views': [...holders, 'reports'],
  catalogue: [...holders, 'reports'],
  embed: [...holders, 'reports', 'catalogue'],
  'reports/favourites': [...holders, 'reports', 'embed'],
  'reports/freshness': [...holders, 'reports', 'catalogue'],
  'access/requests': [...holders, 'reports'],
  'reports/exports': [...holders, 'reports', 'reports/saved-views', 'catalogue', 'embed'],
  'access/review': [...holders, 'reports'],
  'portal/search': [...holders, 'reports', 'reports/favourites'],
  usage: [...holders, 'reports', 'catalogue', 'embed'],
  'events/webhooks': [...foundation, 'users'],
  accounts: [
    ...access,
    'auth/passwords',
    'auth/service-accounts',
    'auth/oidc',
    'reports',
    'reports/favourites',
    'reports/saved-views',
    'catalogue',
    'embed',
    'usage',
    'access/requests',
    'reports/exports',
  ],
  'accounts/scim': [...access, 'auth/service-accounts', 'accounts'],
  health: foundation,
  'portal/onboarding': [...access, 'catalogue', 'health'],
  portal: ['core', 'platform/branding'],
  // Reads the state of the features; no feature imports it.
  'health/metrics': [
    ...foundation,
    'users',
    'access/groups',
    'access/grants',
    'catalogue',
    'embed',
    'usage',
    'events/webhooks',
    'health',
  ],
};

/** A Nest module with more files than this is split. */
export const MAX_FILES = 35;
/** A file of `src/` with more lines than this is split. Migrations are not: they never change. */
const MAX_LINES = 300;
/** A class with more dependencies than this is split, or a step moves into one of its dependencies. */
const MAX_DEPENDENCIES = 6;

/** Top-level files, the command line and the generators compose the modules and may import any. */
const composing = new Set(['', 'cli', 'reference']);

/** `src/auth/sessions/a.ts` is in the module `auth/sessions`, `src/auth/grant-types/a.ts` in `auth`. '' for a top-level file. */
export function moduleOf(path: string): string {
  const [, folder = '', subfolder = ''] = /^src\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? [];
  const name = `${folder}/${subfolder}`;
  return allowed[name] === undefined ? folder : name;
}

/** A rule returns one line for each violation. */
export type Rule = (sources: readonly Source[]) => string[];

export const onlyDownwards: Rule = (sources) =>
  sources.flatMap(importsOf).flatMap(({ from, to }) => {
    const [module, target] = [moduleOf(from), moduleOf(to)];
    if (!to.startsWith('src/') || composing.has(module) || module === target) return [];
    return allowed[module]?.includes(target) ? [] : [`${from} imports ${to}`];
  });

export const everyModuleIsPlaced: Rule = (sources) =>
  [...new Set(sources.map(({ path }) => moduleOf(path)))]
    .filter((module) => !composing.has(module) && allowed[module] === undefined)
    .map((module) => `src/${module} has no place in the order`);

export const noLargeModule: Rule = (sources) => {
  const counts = new Map<string, number>();
  for (const { path } of sources) {
    const module = moduleOf(path);
    if (module !== 'core' && !composing.has(module)) counts.set(module, (counts.get(module) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([module, count]) => `src/${module} has ${count} files`);
};

export const noLongFile: Rule = (sources) =>
  sources
    .filter(({ path }) => !path.startsWith('src/core/database/migrations/'))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path} has ${lines} lines`);

export const fewDependencies: Rule = (sources) =>
  sources.flatMap((source) =>
    injectionsOf(source)
      .filter(([, count]) => count > MAX_DEPENDENCIES)
      .map(([name, count]) => `${source.path}: ${name} has ${count} dependencies`),
  );

/** One statement that reads tables of several modules, where a benchmark shows that it matters. They only read. */
const joinedReads: Record<string, string[]> = {
  // Rights, revocations, report and policy before each embed token.
  'src/embed/embed.queries.ts': ['users', 'workspaces', 'reports', 'datasets'],
  // Whether a workspace in which someone has a grant is retired.
  'src/access/grants/grants.queries.ts': ['workspaces'],
  // Who can see a report: all of its grants with the people behind them.
  'src/reports/viewers.queries.ts': ['users'],
  // The grants of one holder with the names of their targets, one page at a time.
  'src/reports/held-grants.queries.ts': ['workspaces'],
  // The lines of an access review with all names, in bounded batches of users.
  'src/access/review/access-review.queries.ts': ['users', 'workspaces', 'reports', 'issued_tokens'],
  // Access requests with all names, one page at a time, and the people who decide them.
  'src/access/requests/access-requests.queries.ts': ['users', 'workspaces', 'reports'],
  // Figures with the names of reports, workspaces and people, one page at a time.
  'src/usage/report-usage.queries.ts': ['reports', 'workspaces'],
  'src/usage/adoption.queries.ts': ['reports', 'workspaces'],
  'src/usage/people-usage.queries.ts': ['reports', 'users'],
  // Which datasets are due: those of viewed reports, in the workspace that contains them.
  'src/reports/freshness/freshness.queries.ts': ['usage_last_views', 'reports', 'datasets', 'workspaces'],
  // Session and user of each request whose principal is not cached.
  'src/auth/sessions/sessions.queries.ts': ['users'],
};

/** A view, which has no entity. */
const views = { group_members_all: 'access/groups' };

/** Module by table or view. */
function tableOwners(sources: readonly Source[]): Map<string, string> {
  const owners = new Map<string, string>(Object.entries(views));
  for (const { path, text } of sources) {
    for (const [, table] of text.matchAll(/@Entity\('(\w+)'/g)) owners.set(table as string, moduleOf(path));
  }
  return owners;
}

const sqlTable = /\b(FROM|JOIN|UPDATE|INTO)\s+(?:ONLY\s+)?"?([a-z_]+)"?/g;

/** SQL uses the tables of its own module only, except the statements of `joinedReads`. */
export const ownTablesOnly: Rule = (sources) => {
  const owners = tableOwners(sources);
  return sources
    .filter(({ path }) => !path.startsWith('src/core/database/migrations/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(sqlTable)]
        .filter(([, , table = '']) => owners.has(table) && owners.get(table) !== moduleOf(path))
        .filter(
          ([, verb, table = '']) => !(/^(FROM|JOIN)$/.test(verb ?? '') && joinedReads[path]?.includes(table)),
        )
        .map(([statement]) => `${path}: ${statement}`),
    );
};

const sqlStatement = /\b(SELECT|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/;

/** Repositories come first: a file of statements says in its first line why they are SQL. */
export const reasonForSql: Rule = (sources) =>
  sources
    .filter(({ path, text }) => path.endsWith('.queries.ts') && sqlStatement.test(text))
    .filter(({ text }) => !text.startsWith('// SQL, because '))
    .map(({ path }) => `${path} does not say why it is SQL`);

/** An entity class as a value, as in `tx.update(User, …)`, outside its module. */
export const ownEntitiesOnly: Rule = (sources) => {
  const owners = entityOf(sources);
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\.(?:\w+)\(\s*([A-Z]\w+)\s*,|getRepository\(\s*([A-Z]\w+)/g)]
      .map(([, first, second]) => first ?? second ?? '')
      .filter((name) => owners.has(name) && owners.get(name) !== moduleOf(path))
      .map((name) => `${path} queries ${name}`),
  );
};

export const nothingOutsideSource: Rule = (sources) =>
  sources
    .flatMap(importsOf)
    .filter(({ to }) => /^(packages|local|test|bench|deploy|@vitrine|\.\.)\//.test(to))
    .map(({ from, to }) => `${from} imports ${to}`);

const entityOf = (sources: readonly Source[]): Map<string, string> =>
  new Map(
    sources
      .filter(({ path }) => path.endsWith('.entity.ts'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/export class (\w+)/g)].map(
          ([, name]) => [name as string, moduleOf(path)] as const,
        ),
      ),
  );

export const ownRepositoriesOnly: Rule = (sources) => {
  const owners = entityOf(sources);
  return sources.flatMap((source) =>
    repositoriesOf(source)
      .filter((entity) => owners.get(entity) !== moduleOf(source.path))
      .map((entity) => `${source.path} injects the repository of ${entity}`),
  );
};

/** Names that only Microsoft's API uses. */
const microsoft =
  /^(isEffectiveIdentity\w*|isOnDedicatedCapacity|lifetimeInMinutes|allowEdit|targetWorkspaces|GenerateToken|embedUrlBase|datasetId|reportType|groupId|tokenId|AADSTS\d*|x-ms-[\w-]+|x-powerbi-[\w-]+)$/;
/** Columns and client fields of the service with the same name. */
const ours = new Set(['reportType', 'tokenId', 'allowEdit']);

export const microsoftInOnePlace: Rule = (sources) =>
  sources
    .filter(({ path }) => moduleOf(path) !== 'power-bi')
    .flatMap((source) =>
      [...wordsOf(source)]
        .filter((word) => microsoft.test(word) && !ours.has(word))
        .map((word) => `${source.path} says ${word}`),
    );

export const environmentInOnePlace: Rule = (sources) =>
  sources
    .filter(
      ({ path, text }) => !path.startsWith('src/core/config/') && /process\s*(\.|\[\s*['"])\s*env/.test(text),
    )
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
