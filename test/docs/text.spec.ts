import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { settings } from '../../src/core/config/config.js';
import { problemCatalogue } from '../../src/core/problems/problem-catalogue.js';
import type { RefusalReason } from '../../src/auth/oidc/provider.errors.js';
import { asRouted, rows } from '../routes.table.js';
import { documents } from './documents.js';

const byPath = new Map(documents.map((document) => [document.path, document]));
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** For people who use or run it: what these name has to exist. */
const guides = documents.filter(({ path }) =>
  /^(README\.md|docs\/.*|CONTRIBUTING\.md|ARCHITECTURE\.md)$/.test(path),
);

/** Variables that are not the service's own. */
const others = [
  'DATA_DIR',
  'DEMO_DATA',
  'EMULATOR_PORT',
  'TEST_SIZE',
  'TEST_SLOW',
  'DOCUMENT_IMAGES',
  'VITRINE_ENV',
  'MALLOC_ARENA_MAX',
  'NODE_ENV',
  'NODE_EXTRA_CA_CERTS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  ...['SECONDS', 'ROUNDS', 'SIZES', 'PEOPLE', 'MINUTES', 'DIRECTUS', 'VIEWS', 'DAYS', 'WORKSPACES'].map(
    (name) => `BENCH_${name}`,
  ),
];

/** A reason in audit events, which is no error code. */
const refusalReason: RefusalReason = 'invalid_claim';

describe.each(documents)('$path', ({ path, links, blocks }) => {
  const local = links.filter((link) => !/^[a-z]+:/.test(link));

  test('links to existing files and headings', () => {
    const broken = local.filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(target)) return true;
      return anchor !== undefined && byPath.get(target)?.anchors.includes(anchor) !== true;
    });
    expect(broken).toEqual([]);
  });

  test('has valid JSON blocks', () => {
    for (const { text } of blocks.filter(({ language }) => language === 'json')) {
      expect(() => JSON.parse(text) as unknown).not.toThrow();
    }
  });

  test('names existing scripts', () => {
    const named = blocks.flatMap(({ text }) =>
      [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test('marks each shell block as `sh`', () => {
    expect(
      blocks.filter(
        ({ language }) =>
          ['', 'bash', 'shell', 'console', 'zsh'].includes(language) && path !== 'ARCHITECTURE.md',
      ),
    ).toEqual([]);
  });
});

describe('the files of a public project', () => {
  test('state the licence of package.json, how to report a vulnerability, and every release (D14)', () => {
    const { license, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
    expect(readFileSync('LICENSE', 'utf8')).toMatch(new RegExp(`^${license} License\n`));
    expect(byPath.get('SECURITY.md')?.text).toContain('Report a vulnerability');
    const headings = [...(byPath.get('CHANGELOG.md')?.text ?? '').matchAll(/^## \[(.+?)\]/gm)];
    const [unreleased, latest] = headings.map(([, name]) => name);
    expect([unreleased, latest, headings.at(-1)?.[1]]).toEqual(['Unreleased', version, '0.1.0']);
  });
});

describe('the package name', () => {
  const texts = globSync(
    ['*.{md,json,js,ts,yml}', '{bin,deploy,docs,embed,emulator,local,portal,postman,src,test}/**/*.*'],
    {
      exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) || path.endsWith('.png'),
    },
  ).filter((path) => statSync(path).isFile());

  test('is scoped, and no text fetches the unscoped one from the registry (D8)', () => {
    const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };
    expect(name).toMatch(/^@vitrine\//);
    expect(texts.length).toBeGreaterThan(500);
    const fetching = /\b(npx|npm exec|npm x|pnpm dlx|yarn dlx)(\s+-[-\w]+)*\s+vitrine\b/;
    expect(texts.filter((path) => fetching.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});

describe('the guides', () => {
  test.each(documents)('$path names no command without its program (D8)', ({ text }) => {
    expect(text.match(/`vitrine [a-z][^`]*/g)).toBeNull();
  });

  test('an upgrade switches to the new release before its migrations run', () => {
    const [, after = ''] = (byPath.get('docs/upgrading.md')?.text ?? '').split(' /opt/vitrine/current\n');
    expect(after).toContain('\n   systemctl start vitrine-migrate\n');
  });

  test('a dump that fails leaves the previous one in place', () => {
    const dumps = guides.flatMap(({ blocks }) => blocks.filter(({ text }) => text.includes('pg_dump ')));
    expect(dumps.length).toBeGreaterThan(1);
    for (const { text } of dumps)
      expect(text).toMatch(/pg_dump [^&]*\.new\b[^&]* &&\s+mv (\S*vitrine\.dump)\.new \1$/m);
  });

  test.each(guides)('$path names existing variables', ({ text }) => {
    const known = new Set([...others, ...settings().flatMap(({ name }) => [name, `${name}_FILE`])]);
    const named = [...text.matchAll(/`([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)(?:=[^`]*)?`/g)].map(
      ([, name = '']) => name,
    );
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(guides)('$path names existing routes', ({ text }) => {
    const known = new Set(rows.map(asRouted).map((route) => route.replaceAll(/:\w+/g, ':id')));
    const named = [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`\s?]*)[^`]*`/g)];
    const routes = named.map(([, method, route = '']) => `${method} ${route.replaceAll(/:\w+/g, ':id')}`);
    expect(routes.filter((route) => !known.has(route))).toEqual([]);
  });

  test.each(guides)('$path names existing error codes', ({ text }) => {
    const named = [...text.matchAll(/`(power_bi_\w+|\w+_not_found|\w+_unavailable|invalid_\w+)`/g)].map(
      ([, code = '']) => code,
    );
    expect(named.filter((code) => !(code in problemCatalogue) && code !== refusalReason)).toEqual([]);
  });

  test('are at most two links away from the README', () => {
    const targets = (path: string): string[] =>
      (byPath.get(path)?.links ?? [])
        .filter((link) => !/^([a-z]+:|#)/.test(link))
        .map((link) => normalize(join(dirname(path), link.split('#')[0] ?? '')));
    const near = new Set(targets('README.md').flatMap((path) => [path, ...targets(path)]));
    const lost = guides.filter(
      ({ path }) => path !== 'README.md' && !near.has(path) && !near.has(dirname(path)),
    );
    expect(lost.map(({ path }) => path)).toEqual([]);
  });

  test('the README and the guide to production state time, disk space and operating systems (D11, D9)', () => {
    const readme = readFileSync('README.md', 'utf8');
    expect(readme).toMatch(/about two minutes\s+and 1\.5 GB/);
    expect(readme).toMatch(/Linux is supported and tested\. Windows .* macOS/);
    expect(readFileSync('.npmrc', 'utf8')).toMatch(/^loglevel=error$/m);
    // PostgreSQL 15, and a systemd that knows %d.
    expect(byPath.get('docs/production.md')?.text).toContain('Debian 12 or newer, or Ubuntu 24.04 or newer');
  });

  test('the README is short, and has its screenshot', () => {
    const { text = '', links = [] } = byPath.get('README.md') ?? {};
    expect(text.split('\n').length).toBeLessThan(150);
    const pictures = links.filter((link) => /\.(png|svg)$/.test(link));
    expect(pictures).toContain('docs/images/portal.png');
    for (const picture of pictures) expect(statSync(picture).size).toBeGreaterThan(1000);
  });
});
