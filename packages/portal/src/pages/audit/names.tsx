import { Anchor, Text } from '@mantine/core';
import { t } from 'i18next';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { datasets, reports, type Source, workspaces } from '../../api/sources.js';
import { NameOf } from '../../components/name-of.js';
import { type AuditEvent, type Target, targetWords } from './audit-words.js';

const sources: Partial<Record<Target['type'], Source>> = {
  workspace: workspaces,
  report: reports,
  dataset: datasets,
};

/** The page of each target type. */
const pages: Partial<Record<Target['type'], (id: string) => string>> = {
  user: (id) => `/users/${id}`,
  service_account: () => '/service-accounts',
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
        {t(targetWords[type])}: <NameOf source={source} id={id} />
      </>
    );
  }
  return name === null ? t(targetWords[type]) : `${t(targetWords[type])}: ${name}`;
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
