import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from 'i18next';
import { groups, reports, type Source, users } from '../../api/sources.js';
import { workspaces } from '../../api/workspace-source.js';
import { NameOf } from '../../components/name-of.js';
import { formatNumber } from '../../i18n/format.js';
import { detailName } from './audit-texts.js';
import { exactly } from '../../components/time.js';

/** Ids whose names are shown. */
const sources: Record<string, Source> = {
  workspace_id: workspaces,
  report_id: reports,
  user_id: users,
  group_id: groups,
  granted_by: users,
};

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

type Details = Record<string, unknown>;

const isRecord = (value: unknown): value is Details =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  isRecord(value) && 'from' in value && 'to' in value;

function shown(name: string, value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return t('Not set');
  if (isChange(value)) {
    return (
      <>
        {shown(name, value.from)} → {shown(name, value.to)}
      </>
    );
  }
  const source = sources[name];
  if (source !== undefined && typeof value === 'string') return <NameOf source={source} id={value} />;
  const several = sources[name.replace(/_ids$/, '_id')];
  if (several !== undefined && Array.isArray(value)) {
    return value.map((id) => (
      <div key={String(id)}>
        <NameOf source={several} id={String(id)} />
      </div>
    ));
  }
  if (typeof value === 'string') return instant.test(value) ? exactly(value) : value;
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'number') return formatNumber(value);
  return (
    <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {JSON.stringify(value, null, 2)}
    </Code>
  );
}

/** The member of a group as `user_id` or `group_id`, so that its name is found. */
const withMember = ({ member_type, member_id, ...rest }: Details): Details =>
  typeof member_type === 'string' ? { ...rest, [`${member_type}_id`]: member_id } : rest;

/** The details of an event by name, including the changed fields. */
export function detailsOf({ diff, changed, ...details }: Details): [string, ReactNode][] {
  const all = withMember(isRecord(diff) ? { ...diff, ...details } : details);
  const rows = Object.entries(all).map(([name, value]): [string, ReactNode] => [
    detailName(name),
    shown(name, value),
  ]);
  // Of people the trail contains the names of the changed fields only.
  return Array.isArray(changed)
    ? [[detailName('changed'), changed.map(fieldName).join(', ')], ...rows]
    : rows;
}

const fieldName = (field: unknown): string => {
  const [name = '', attribute] = String(field).split(/\.(.*)/);
  return attribute === undefined ? detailName(name) : attribute;
};
