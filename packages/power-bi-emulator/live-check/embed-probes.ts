import type { GuessName } from '../core/guesses.js';
import { NotTried } from './not-tried.js';
import type { Subject, Subjects } from './subjects.js';
import type { TenantResponse, Tenant } from './tenant.js';

type Probe = (tenant: Tenant, subjects: Subjects) => Promise<string>;
type Kind = 'plain' | 'identity' | 'roles';

const words: Record<Kind, string> = {
  plain: 'report without row-level security',
  identity: 'report that requires an effective identity but no roles',
  roles: 'report that requires roles',
};

function subjectOf(subjects: Subjects, kind: Kind): Subject {
  const subject = subjects[kind];
  if (subject === undefined) throw new NotTried(`no ${words[kind]} was found`);
  return subject;
}

const someone = 'live-check@vitrine.example';

const identityOf = ({ dataset }: Subject, roles: string[]): object => ({
  username: someone,
  roles,
  datasets: [dataset.id],
});

/** Body for a one-minute token for one report; the token is not used. */
const request = ({ report, dataset }: Subject, more: object = {}): object => ({
  reports: [{ id: report.id, allowEdit: false }],
  datasets: [{ id: dataset.id }],
  lifetimeInMinutes: 1,
  ...more,
});

const outcome =
  (issued: string) =>
  ({ status }: TenantResponse): string =>
    status === 200 ? issued : String(status);

const probe =
  (kind: Kind, more: (subject: Subject) => object, issued = 'issued'): Probe =>
  async (tenant, subjects) => {
    const subject = subjectOf(subjects, kind);
    return outcome(issued)(await tenant.post('GenerateToken', request(subject, more(subject))));
  };

export const embedProbes: Partial<Record<GuessName, Probe>> = {
  rls_identity_missing: probe('identity', () => ({})),
  rls_roles_missing: probe('roles', (subject) => ({ identities: [identityOf(subject, [])] })),
  rls_identity_needless: probe('plain', (subject) => ({ identities: [identityOf(subject, [])] })),
  rls_role_unknown: probe('roles', (subject) => ({ identities: [identityOf(subject, ['No such role'])] })),
  report_without_dataset: probe('plain', () => ({ datasets: [] })),
  negative_lifetime: probe('plain', () => ({ lifetimeInMinutes: -1 }), 'default'),
  excessive_lifetime: probe('plain', () => ({ lifetimeInMinutes: 10_000 }), 'capped'),
  empty_token_request: async (tenant) => outcome('issued')(await tenant.post('GenerateToken', {})),
  v1_multiple_identities: async (tenant, subjects) => {
    const subject = subjectOf(subjects, 'identity');
    const path = `groups/${subject.workspaceId}/reports/${String(subject.report.id)}/GenerateToken`;
    const identities = [identityOf(subject, []), identityOf(subject, [])];
    return outcome('issued')(await tenant.post(path, { accessLevel: 'View', identities }));
  },
  missing_content_type: async (tenant, subjects) => {
    const subject = subjectOf(subjects, 'plain');
    return outcome('parsed')(await tenant.postUntyped('GenerateToken', request(subject)));
  },
  embed_token_tail: async (tenant, subjects) => {
    const { body } = await tenant.post('GenerateToken', request(subjectOf(subjects, 'plain')));
    if (typeof body?.token !== 'string') throw new NotTried('no embed token was issued');
    const [, tail = ''] = body.token.split('.');
    return Buffer.from(tail, 'base64').toString('utf8').includes('"exp"') ? 'newer' : 'older';
  },
};
