import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { documents, type Document } from '../docs/documents.js';
import { expectAsWritten, isRun } from '../docs/expectations.js';
import { type Ran, runInShell } from '../docs/shell.js';
import { missingPrograms, PATH } from './programs.js';

const WITHIN_SECONDS = 500;
const documentOf = (name: string): Document => documents.find(({ path }) => path === name) as Document;
const followed = ['production', 'scaling', 'upgrading', 'backup'].map((name) =>
  documentOf(`docs/${name}.md`),
);
const steps = followed.flatMap((document) =>
  document.blocks.filter(isRun).map((block) => ({ document, block, at: `${document.path}:${block.line}` })),
);

/** What a reader looks at afterwards. */
const looks = {
  signIn: `curl -sS https://reports.example.com/api/auth/token -H 'Content-Type: application/json' \\
    -d "{\\"email\\":\\"admin@example.com\\",\\"password\\":\\"$(cat /etc/vitrine/secrets/admin-password)\\"}" -o /dev/null -w '%{http_code}'`,
  plainHttp: `command curl -sS -o /dev/null -w '%{http_code} %{redirect_url}' 'http://reports.example.com/reports?q=a'`,
  owners: `runuser -u postgres -- psql -qAtX -d vitrine -c "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname IN ('public', 'pgboss')"`,
  restored: `for name in vitrine_old vitrine; do runuser -u postgres -- psql -qAtX -d $name \\
    -c "SELECT count(*), md5(string_agg(id || email, '' ORDER BY id)), (SELECT max(timestamp) FROM migrations) FROM users"; done`,
  sessions: `runuser -u postgres -- psql -qAtX -c "SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = 'vitrine'"`,
  process: `ps -o user= -p "$(cat /run/vitrine.test-pid)"`,
  release: `readlink /opt/vitrine/current`,
  secrets: `find /etc/vitrine/secrets /etc/vitrine/database-migration-url -perm /077`,
  ownerAddress: `runuser -u vitrine -- cat /etc/vitrine/database-migration-url 2>&1 || true`,
  rolesAsOwner: `psql -qX "$(cat /etc/vitrine/database-migration-url)" -f deploy/sql/roles.sql 2>&1 || echo "ended with $?"`,
  rolesElsewhere: `runuser -u postgres -- psql -qX -d postgres -f deploy/sql/roles.sql 2>&1 || echo "ended with $?"`,
  exposure: `systemd-analyze security --offline=true --threshold=20 vitrine.service vitrine-migrate.service > /dev/null && echo ok`,
};
const names = Object.keys(looks) as (keyof typeof looks)[];

const programs = [
  'pg_createcluster',
  'pgbouncer',
  'nginx',
  'setpriv',
  'ip',
  'systemd-analyze',
  'curl',
  'openssl',
];

/** Why this machine cannot be the host of the documents, if it cannot. */
function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'it takes root';
  const missing = missingPrograms(programs);
  if (missing.length > 0 || !existsSync('/etc/debian_version')) return `missing: ${missing.join(', ')}`;
  const { status } = spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'true']);
  return status === 0 ? undefined : 'namespaces are not allowed here';
}

describe('a bare Debian host, set up from the guides (D4, D5, D13)', () => {
  let results: (Ran | undefined)[];
  let looked: Record<keyof typeof looks, string | undefined>;

  beforeAll(
    async () => {
      const blocks = [...steps.map(({ block }) => block.text), ...names.map((name) => looks[name])];
      const variables = {
        PATH,
        HOME: '/root',
        CURL_CA_BUNDLE: '/etc/ssl/vitrine/reports.example.com.crt',
        LANG: 'C.UTF-8',
      };
      const namespace = [
        'unshare',
        '--mount',
        '--net',
        '--pid',
        '--ipc',
        '--fork',
        '--mount-proc',
        '--kill-child',
      ];
      const host = (script: string, out: string) => [
        ...namespace,
        'bash',
        'test/host/setup.sh',
        script,
        out,
        process.cwd(),
      ];
      expect(obstacle()).toBeUndefined();
      results = await runInShell(blocks, variables, WITHIN_SECONDS, host);
      const seen = results.slice(steps.length).map((ran) => ran && `${ran.stdout}${ran.stderr}`.trim());
      looked = Object.fromEntries(names.map((name, index) => [name, seen[index]])) as typeof looked;
    },
    (WITHIN_SECONDS + 20) * 1000,
  );

  test.each(steps.map((step, index) => ({ ...step, index })))('$at works', ({ document, block, index }) => {
    expectAsWritten(document, block, results[index]);
  });

  test('serves over https through nginx, and redirects plain http', () => {
    expect([looked.signIn, looked.plainHttp]).toEqual(['200', '301 https://reports.example.com/reports?q=a']);
  });

  test('runs with the limited role and an unprivileged user, separate from the owner', () => {
    expect(looked).toMatchObject({ sessions: 'vitrine_app', process: 'vitrine', owners: 'vitrine' });
    expect(looked.ownerAddress).toContain('Permission denied');
    expect([looked.secrets, looked.exposure]).toEqual(['', 'ok']);
  });

  test('roles.sql fails when it cannot set every permission', () => {
    expect(looked.rolesAsOwner).toMatch(
      /superuser, or as the owner[^]*"vitrine" is neither[^]*ended with 3$/,
    );
    expect(looked.rolesElsewhere).toMatch(/not in "postgres"[^]*ended with 3$/);
  });

  test('an upgrade switches to the release that it unpacked', () => {
    expect(looked.release).toBe('/opt/vitrine/releases/vitrine-0.2.0');
  });

  test('a restored database has the rows of the original', () => {
    const [before, after] = (looked.restored ?? '').split('\n');
    expect(before).toMatch(/^1\|\w+\|\d+$/);
    expect(after).toBe(before);
  });
});
