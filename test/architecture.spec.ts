import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  classesAtRunTime,
  environmentInOnePlace,
  everyModuleIsPlaced,
  fewDependencies,
  microsoftInOnePlace,
  noLargeModule,
  noLongFile,
  nothingOutsideSource,
  onlyDownwards,
  ownEntitiesOnly,
  ownRepositoriesOnly,
  ownTablesOnly,
  reasonForSql,
  type Rule,
  timesInOnePlace,
} from './support/architecture.js';
import { writersOfRightsPublish } from './support/rights-writers.js';
import { cycleIn, filesOf, importsOf, type Source, sourcesOf } from './support/module-graph.js';

const noCycles: Rule = (sources) => {
  const cycle = cycleIn(sources.flatMap(importsOf));
  return cycle === undefined ? [] : [cycle.join(' → ')];
};

const file = (path: string, text: string): Source => ({ path, text });
const entity = file('src/users/user.entity.ts', 'export class User {}');

/** A rule, and the smallest breach of it. */
const rules: [string, Rule, Source[]][] = [
  [
    'modules import downwards only',
    onlyDownwards,
    [file('src/users/a.ts', "import { W } from '../workspaces/w.js';")],
  ],
  [
    'src/core imports no feature',
    onlyDownwards,
    [file('src/core/a.ts', "export { User } from '../users/user.entity.js';")],
  ],
  [
    'an import that waits counts too',
    onlyDownwards,
    [file('src/reports/a.ts', "const later = () => import('../packages/embed/embed.service.js');")],
  ],
  ['every module has its place in the order', everyModuleIsPlaced, [file('src/billing/a.ts', '')]],
  [
    'no module has more than 35 files',
    noLargeModule,
    Array.from({ length: 36 }, (_, count) => file(`src/users/${count}.ts`, '')),
  ],
  ['no file has more than 300 lines', noLongFile, [file('src/users/a.ts', 'const a = 1;\n'.repeat(301))]],
  [
    'no class injects more than 6 dependencies',
    fewDependencies,
    [
      file(
        'src/users/a.service.ts',
        '@Injectable()\nclass A { constructor(a: B, b: B, c: B, d: B, e: B, f: B, g: B) {} }',
      ),
    ],
  ],
  [
    'the service knows neither the emulator nor the local start nor tests',
    nothingOutsideSource,
    [file('src/main.ts', "import { demoTenant } from '../packages/power-bi-emulator/demo-tenant.js';")],
  ],
  [
    'the service does not know the emulator by its package either',
    nothingOutsideSource,
    [file('src/main.ts', "import { demoTenant } from '@vitrine/power-bi-emulator';")],
  ],
  [
    'nobody injects the repository of another module',
    ownRepositoriesOnly,
    [entity, file('src/embed/a.ts', 'class A { constructor(@InjectRepository(User) readonly users: R) {} }')],
  ],
  [
    'SQL names only the tables of its own module',
    ownTablesOnly,
    [
      file('src/users/user.entity.ts', "@Entity('users')\nexport class User {}"),
      file('src/embed/a.ts', 'const sql = `SELECT 1 FROM users`;'),
    ],
  ],
  [
    'each file of statements says why they are SQL',
    reasonForSql,
    [file('src/users/users.queries.ts', "import { a } from 'a';\nexport const b = a`SELECT 1`;")],
  ],
  [
    'no module queries an entity of another one',
    ownEntitiesOnly,
    [entity, file('src/embed/a.ts', 'const end = (tx) => tx.update(User, { id }, {});')],
  ],
  [
    "only power-bi/ uses Microsoft's field names",
    microsoftInOnePlace,
    [file('src/embed/a.ts', 'const body = { lifetimeInMinutes: 60 };')],
  ],
  [
    'only config/ reads the environment',
    environmentInOnePlace,
    [file('src/platform/mail/a.ts', 'const url = process.env.SMTP_URL;')],
  ],
  [
    'times of requests have one validator (M2)',
    timesInOnePlace,
    [file('src/users/dto/a.dto.ts', 'class A { @IsISO8601() at?: string; }')],
  ],
  [
    'a controller imports its DTOs, not their types',
    classesAtRunTime,
    [file('src/users/a.controller.ts', "import type { ListQuery } from './dto/list.dto.js';")],
  ],
  [
    'an injected class is imported, not its type',
    classesAtRunTime,
    [
      file(
        'src/users/a.service.ts',
        "import type { B } from './b.service.js'; class A { constructor(private readonly b: B) {} }",
      ),
    ],
  ],
  [
    'a method that writes a rights table publishes the change',
    writersOfRightsPublish,
    [
      file(
        'src/users/a.service.ts',
        "class A { disable(tx: T) { return tx.update(User, { id }, { status: 'disabled' }); } }",
      ),
    ],
  ],
  [
    'a method that writes a rights table by SQL publishes the change',
    writersOfRightsPublish,
    [
      file(
        'src/auth/a.ts',
        'class A { end(tx: T) { return tx.query(`DELETE FROM grants WHERE id = $1`); } }',
      ),
    ],
  ],
  [
    'callers of a writing query function publish the change',
    writersOfRightsPublish,
    [
      file(
        'src/auth/a.queries.ts',
        "export const end = (tx: T) => tx.query('UPDATE sessions SET ended_at = now()');",
      ),
      file('src/auth/a.ts', 'class A { run(tx: T) { return end(tx); } }'),
    ],
  ],
  [
    'there are no import cycles',
    noCycles,
    [file('src/users/a.ts', "import './b.js';"), file('src/users/b.ts', "import './a.js';")],
  ],
];

const sources = sourcesOf('src');

describe('the architecture', () => {
  test('is checked on the complete source', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(300);
  });

  test.each(rules)('%s', (_name, rule) => {
    expect(rule(sources)).toEqual([]);
  });

  test.each(rules)('is checked by a rule that detects a violation: %s', (_name, rule, breach) => {
    expect(rule(breach)).not.toEqual([]);
  });
});

/** Tests of the emulator's internals are in `test/emulator/`. */
const emulatorAsPackage: Rule = (files) =>
  files
    .filter(({ path }) => !path.startsWith('test/emulator/'))
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('packages/power-bi-emulator/'))
    .map(({ from, to }) => `${from} imports ${to}`);

describe('packages/', () => {
  test('the emulator is used as any consumer uses it: by the name of its package', () => {
    const users = ['test', 'local', 'bench'].flatMap((folder) => filesOf(folder));
    expect(users.length).toBeGreaterThan(200);
    expect(emulatorAsPackage(users)).toEqual([]);
    const breach = "import { idOf } from '../packages/power-bi-emulator/content/ids.js';";
    expect(emulatorAsPackage([file('test/a.e2e-spec.ts', breach)])).toHaveLength(1);
  });

  test('do not import the service', () => {
    const imports = sourcesOf('packages').flatMap(importsOf);
    expect(imports.filter(({ to }) => /^(src|local|test)\//.test(to))).toEqual([]);
  });
});

/** The specification names these packages and files: other work must not replace or rename them. */
describe('the specification', () => {
  const own = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const imported = new Set(sources.flatMap(importsOf).map(({ to }) => to));

  test.each([
    '@nestjs/core',
    '@nestjs/common',
    '@nestjs/platform-express',
    '@nestjs/jwt',
    '@nestjs/passport',
    'passport-jwt',
    'typeorm',
    'class-validator',
    'class-transformer',
  ])('requires %s: it is a dependency, and the service imports it', (name) => {
    expect(own.dependencies).toHaveProperty([name]);
    expect(imported).toContain(name);
  });

  test('requires jest: it runs every test', () => {
    expect(own.devDependencies).toHaveProperty(['jest']);
    expect(readFileSync('test/run.js', 'utf8')).toContain('node_modules/jest/bin/jest.js');
    const specs = ['src', 'local', 'packages', 'test']
      .flatMap((folder) => filesOf(folder))
      .filter(({ path }) => path.endsWith('spec.ts') && !path.includes('node_modules'));
    expect(specs.length).toBeGreaterThan(300);
    const withoutJest = specs.filter((each) => !importsOf(each).some(({ to }) => to === '@jest/globals'));
    expect(withoutJest.map(({ path }) => path)).toEqual([]);
  });

  test.each([
    'src',
    'test',
    'package.json',
    'tsconfig.json',
    'nest-cli.json',
    'ormconfig.ts',
    'docker-compose.yml',
    'README.md',
  ])('requires %s at the top', (name) => expect(existsSync(name)).toBe(true));
});

/** What an edit during a run builds would replace programs that other tests are running. */
describe('tests', () => {
  test('run the programs that were built before them', () => {
    const building = /local\/(?:build|start|emulator|live-check)\.js/;
    const files = filesOf('test').filter(({ path }) => path !== 'test/architecture.spec.ts');
    expect(files.filter(({ text }) => building.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

/** Each of these takes longer to load than the help may take. */
const slowPackages = /^(@nestjs|typeorm|pg|class-validator|class-transformer|@zxcvbn-ts)/;

describe('the command line', () => {
  test('loads no module of the service for its help and for commands without the service', () => {
    const staticImports = (source: Source) =>
      importsOf(source).filter(({ typeOnly, isDynamic }) => !typeOnly && !isDynamic);
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const loaded = new Set(['src/cli/vitrine.ts']);
    for (const path of loaded) {
      const source = byPath.get(path);
      for (const { to } of source === undefined ? [] : staticImports(source)) loaded.add(to);
    }
    expect([...loaded]).toContain('src/cli/grants.command.ts');
    expect([...loaded].filter((each) => slowPackages.test(each))).toEqual([]);
  });
});
