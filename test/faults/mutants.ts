import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Patch {
  file: string;
  find: string;
  replace: string;
}

/** A typical defect, and the fault scenario that must detect it. */
export interface Mutant {
  id: string;
  title: string;
  scenario: string;
  /** One of these invariants must fail: a failure for another reason does not count. */
  breaks: number[];
  patches: Patch[];
}

const memoryLimiter = `new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })`;

export const mutants: Mutant[] = [
  {
    id: 'a',
    title: 'no dummy hash for an unknown account',
    scenario: 'F31c',
    breaks: [12],
    patches: [
      {
        file: 'src/users/passwords.service.js',
        find: 'const matches = await this.hashing(',
        replace: 'if (known === undefined) return false;\n        const matches = await this.hashing(',
      },
    ],
  },
  {
    id: 'b',
    title: 'rate limits only in the memory of each replica',
    scenario: 'F31b',
    breaks: [7],
    patches: [
      {
        file: 'src/platform/rate-limit/limit-store.service.js',
        find: '    inPostgres({ name, points, seconds }) {',
        replace: `    inPostgres({ name, points, seconds }) {\n        return ${memoryLimiter};`,
      },
      {
        file: 'src/platform/rate-limit/limit-store.service.js',
        find: 'return new Limit(this.inRedis(counting, this.inPostgres(counting)));',
        replace: 'return new Limit(this.inPostgres(counting));',
      },
    ],
  },
  {
    id: 'c',
    title: 'a response before COMMIT',
    scenario: 'F9',
    breaks: [1],
    patches: [
      {
        file: 'src/core/database/database.service.js',
        find: 'const value = await this.source.transaction(async (tx) => {',
        replace: `const value = await ((body) => new Promise((resolve, reject) => {
                const early = async (tx) => {
                    const result = await body(tx);
                    resolve(result);
                    return result;
                };
                this.source.transaction(early).catch(reject);
            }))(async (tx) => {`,
      },
    ],
  },
  {
    id: 'd',
    title: 'an ended session can be refreshed',
    scenario: 'F0',
    breaks: [4, 5],
    patches: [
      {
        file: 'src/auth/sessions/session-refresh.service.js',
        find: 'session.id = :id AND session.endedAt IS NULL AND ',
        replace: 'session.id = :id AND ',
      },
    ],
  },
  {
    id: 'e',
    title: 'a query without its workspace filter',
    scenario: 'F0',
    breaks: [6],
    patches: [
      {
        file: 'src/access/grants/grants.queries.js',
        find: '`SELECT DISTINCT workspace_id FROM ${effectiveGrants(scope)} WHERE report_id IS NULL AND ${where}`',
        replace: '`SELECT id AS workspace_id FROM workspaces`',
      },
      {
        file: 'src/reports/reports.queries.js',
        find: "`EXISTS (${effectiveGrantsOn('1', scope, { workspace: 'reports.workspace_id', report: id })})`",
        replace: '`${scope.user}::uuid IS NOT NULL AND ${scope.now}::timestamptz IS NOT NULL`',
      },
    ],
  },
  {
    id: 'f',
    title: 'errors of the connection pool are not handled',
    scenario: 'F10',
    breaks: [15],
    patches: [
      {
        file: 'src/core/database/database.service.js',
        find: 'await this.source.initialize();',
        replace:
          "await this.source.initialize();\n        this.source.driver.master.removeAllListeners('error');",
      },
    ],
  },
  {
    id: 'g',
    title: 'mail is sent inside the transaction',
    scenario: 'F20',
    breaks: [2, 9, 11, 12],
    patches: [
      {
        file: 'src/invitations/invitation-mail.service.js',
        find: "message };\n        await this.jobs.send(tx, 'invitation_mail', job);",
        replace: `message };
        const invitation = await tx.getRepository(Invitation).createQueryBuilder('invitation')
            .addSelect(['invitation.secretSalt', 'invitation.secretHash'])
            .where('invitation.id = :id', { id }).getOne();
        await this.mailer.send(this.compose(invitation));`,
      },
    ],
  },
  {
    id: 'h',
    title: 'the local start without its lock',
    scenario: 'F29',
    breaks: [15],
    patches: [
      {
        file: 'local/lock.js',
        find: '    while (!link(draft, path)) {',
        replace: '    return;\n    while (!link(draft, path)) {',
      },
    ],
  },
  {
    id: 'i',
    title: 'the Authorization header is logged',
    scenario: 'F0',
    breaks: [8],
    patches: [
      {
        file: 'src/core/http/request-pipeline.js',
        find: 'req: { method: request.method, path: request.path },',
        replace:
          'req: { method: request.method, path: request.path, header: request.headers.authorization },',
      },
    ],
  },
];

/** Replaces one occurrence. Throws when there is none or more than one. */
export function patched(text: string, { file, find, replace }: Patch): string {
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} occurrences of\n${find}`);
  return parts.join(replace);
}

export interface BuiltMutant {
  dist: string;
  remove: () => void;
}

/** A copy of the built service with the defect. */
export function buildMutant(root: string, { id, patches }: Mutant): BuiltMutant {
  const folder = mkdtempSync(join(tmpdir(), `vitrine-mutant-${id}-`));
  const dist = join(folder, 'dist');
  cpSync(join(root, 'dist'), dist, { recursive: true });
  for (const name of ['package.json', 'packages', 'deploy'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const patch of patches) {
    const path = join(dist, patch.file);
    writeFileSync(path, patched(readFileSync(path, 'utf8'), patch));
  }
  return { dist, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
