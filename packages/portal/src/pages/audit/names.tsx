import { Anchor, Text } from '@mantine/core';
import { t } from 'i18next';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { datasets, groups, reports, type Source, users } from '../../api/sources.js';
import { workspaces } from '../../api/workspace-source.js';
import { NameOf } from '../../components/name-of.js';
import { type AuditEvent, type Target, targetTexts } from './audit-texts.js';

const sources: Partial<Record<Target['type'], Source>> = {
  workspace: workspaces,
  report: reports,
  dataset: datasets,
};

/** The page of each target type. */
const pages: Partial<Record<Target['type'], (id: string) => string>> = {
  user: (id) => `/users/${id}`,
  service_account: (id) => `/service-accounts/${id}`,
  group: (id) => `/groups/${id}`,
  invitation: () => '/invitations',
  workspace: (id) => `/workspaces/${id}`,
  report: (id) => `/reports/${id}`,
  dataset: (id) => `/datasets?dataset=${id}`,
  sync: (id) => `/syncs?run=${id}`,
  embed_revocation: () => '/embedding?tab=revocations',
};

export function ActorName({ actor }: Pick<AuditEvent, 'actor'>) {
  if (actor === null) return t('Anonymous');
  if (actor.name !== null) return actor.name;
  return actor.removed ? t('Deleted user') : actor.id;
}

export function TargetName({ target: { type, id, name } }: { target: Target }) {
  const source = sources[type];
  if (source !== undefined) {
    return (
      <>
        {t(targetTexts[type])}: <NameOf source={source} id={id} />
      </>
    );
  }
  return name === null ? t(targetTexts[type]) : `${t(targetTexts[type])}: ${name}`;
}

type Reference = Pick<Target, 'type' | 'id'>;

const ofObjects: Partial<Record<Target['type'], Source>> = { ...sources, user: users, group: groups };

const referencesIn = ({ member_type, member_id, ...details }: AuditEvent['details']): Reference[] => {
  const member = { type: member_type === 'group' ? ('group' as const) : ('user' as const), id: member_id };
  const types = ['report', 'workspace', 'user', 'group'] as const;
  const named = types.flatMap((type) => {
    const several = details[`${type}_ids`];
    const ids: unknown[] = Array.isArray(several) ? several : [details[`${type}_id`]];
    return ids.map((id) => ({ type, id }));
  });
  return [member, ...named].flatMap(({ type, id }) => (typeof id === 'string' ? [{ type, id }] : []));
};

/**
 * What an event is about besides its target: the report or workspace of a grant, the member of a group. A report without its
 * workspace, which it is in.
 */
function objectsOf({ target, details }: AuditEvent): Reference[] {
  const found = referencesIn(details).filter(({ id }) => id !== target?.id);
  const isImplied = found.some(({ type }) => type === 'report') || target?.type === 'report';
  return isImplied && !('workspace_ids' in details)
    ? found.filter(({ type }) => type !== 'workspace')
    : found;
}

/** The names of the objects of an event; undefined if it has none. */
export function ObjectNames({ event }: { event: AuditEvent }) {
  const [first, ...others] = objectsOf(event);
  const source = first && ofObjects[first.type];
  if (first === undefined || source === undefined) return null;
  return (
    <>
      {' · '}
      {t(targetTexts[first.type])}: <NameOf source={source} id={first.id} />
      {others.length > 0 && ` ${t('and {{number}} more', { number: others.length })}`}
    </>
  );
}

interface LinkedProps {
  type: Target['type'];
  id: string;
  children: ReactNode;
}

/** A link if the target has a page. */
export function Linked({ type, id, children }: LinkedProps) {
  const to = pages[type]?.(id);
  if (to === undefined) return <Text span inherit children={children} />;
  return (
    <Anchor component={Link} to={to} inherit underline="always">
      {children}
    </Anchor>
  );
}
