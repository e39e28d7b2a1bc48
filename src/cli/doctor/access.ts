import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { groupsWithoutPeople } from '../../access/grants/grant-counts.queries.js';
import { GroupRepairService } from '../../access/groups/group-repair.service.js';
import { findGroups } from '../../access/groups/groups.queries.js';
import { SignInRulesService } from '../../auth/oidc/sign-in-rules.service.js';
import { Clock } from '../../core/clock.js';
import { listServiceAccounts } from '../service-accounts.actions.js';
import { failed, type Finding, ok, warning } from './finding.js';

/** Maximum number of names in a message; the rest is only counted. */
const NAMED = 5;

const listed = (items: readonly string[]): string =>
  items.slice(0, NAMED).join(', ') + (items.length > NAMED ? ', …' : '');

export const quoted = (names: readonly string[]): string => listed(names.map((name) => `"${name}"`));

/** Whether every group contains exactly the groups in the groups that it contains. */
export async function groups(app: INestApplicationContext): Promise<Finding> {
  const { checked, wrong, cyclic } = await app.get(GroupRepairService).check();
  if (cyclic.length > 0) {
    const names = quoted(cyclic.map(({ name }) => name));
    const advice = 'Remove one of these groups from another: `node bin/vitrine.js groups remove`.';
    return failed('groups', `Groups contain themselves, or a group that does: ${names}.`, advice);
  }
  if (wrong === 0) return ok('groups', `The ${checked} groups are consistent.`);
  const detail = `${wrong} of ${checked} groups do not contain exactly the groups in them.`;
  return failed('groups', detail, 'Run `node bin/vitrine.js groups repair`.');
}

/** References of sign-in rules that are not resolved: they add and remove nothing. */
export async function rules(app: INestApplicationContext): Promise<Finding[]> {
  const signInRules = app.get(SignInRulesService);
  if (!signInRules.namesAnything) return [];
  const names = (await signInRules.listUnresolved()).map(({ reference }) => reference);
  if (names.length === 0) return [ok('rules', 'Everything that the sign-in rules name exists.')];
  const detail = `${names.length} name(s) in the sign-in rules match nothing or several: ${quoted(names)}.`;
  const advice = 'Correct OIDC_RULES_FILE, or create these workspaces, reports or groups.';
  return [warning('rules', detail, advice)];
}

/** Grants that give access to no one, often left behind by a renamed or emptied group. */
export async function emptyGroups(app: INestApplicationContext): Promise<Finding> {
  const { manager } = app.get(DataSource);
  const empty = await findGroups(manager, await groupsWithoutPeople(manager));
  if (empty.length === 0) return ok('empty_groups', 'Every group with a grant has people.');
  const detail = `${empty.length} group(s) with grants have no people: ${quoted(empty.map(({ name }) => name))}.`;
  return warning('empty_groups', detail, 'Add people to these groups, or delete the groups.');
}

/** As in the portal: enough time to create another secret and deploy it. */
const SECRET_DAYS = 30;

const describeSecret = ({ name, until }: { name: string; until: number }): string =>
  `"${name}" (${until > 0 ? `expires on ${new Date(until).toISOString().slice(0, 10)}` : 'no valid secret'})`;

/** Active service accounts that cannot sign in, or soon. That of the command line has no creator, and needs no secret. */
export async function serviceAccountSecrets(app: INestApplicationContext): Promise<Finding> {
  const check = 'service_account_secrets';
  const soon = app.get(Clock).in(SECRET_DAYS * 86_400);
  const expiring = (await listServiceAccounts(app, { status: 'active' }))
    .filter((account) => account.created_by !== null)
    .map(({ name, secrets }) => ({ name, until: Math.max(0, ...secrets.map((one) => +one.expires_at)) }))
    .filter(({ until }) => until <= soon.getTime())
    .toSorted((a, b) => a.until - b.until);
  if (expiring.length === 0)
    return ok(check, `No service account loses its last secret within ${SECRET_DAYS} days.`);
  const accounts = listed(expiring.map(describeSecret));
  const detail = `${expiring.length} service account(s) without a secret after ${SECRET_DAYS} days: ${accounts}.`;
  const advice = 'Run `node bin/vitrine.js service-accounts rotate <id>`, or disable the account.';
  return warning(check, detail, advice);
}
