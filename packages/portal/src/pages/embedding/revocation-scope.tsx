import { Fragment, type ReactNode } from 'react';
import type { components } from '../../api/schema.js';
import { principals, reports, type Source, workspaces } from '../../api/sources.js';
import { NameOf } from '../../components/name-of.js';

export type Revocation = components['schemas']['EmbedRevocationDto'];

const named = (source: Source, id: string): ReactNode => (
  <b>
    <NameOf source={source} id={id} />
  </b>
);

/** Whom and what a revocation holds for: of several all are met. */
export function RevocationScope({ revocation }: { revocation: Revocation }) {
  const { user_id: user, report_id: report, workspace_id: workspace } = revocation;
  const parts = [
    user === null ? 'Anybody' : named(principals, user),
    report === null ? ', any report' : <>, {named(reports, report)}</>,
    workspace === null ? '' : <> in {named(workspaces, workspace)}</>,
  ];
  return parts.map((part, position) => <Fragment key={position}>{part}</Fragment>);
}
