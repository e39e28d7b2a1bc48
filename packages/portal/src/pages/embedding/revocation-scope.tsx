import { t } from 'i18next';
import { Trans } from 'react-i18next';
import type { components } from '../../api/schema.js';
import { principals, reports } from '../../api/sources.js';
import { workspaces } from '../../api/workspace-source.js';
import { NameOf } from '../../components/name-of.js';

export type Revocation = components['schemas']['EmbedRevocationDto'];

/** What a block applies to: tokens that match every part. */
export function RevocationScope({ revocation }: { revocation: Revocation }) {
  const { user_id: user, report_id: report, workspace_id: workspace } = revocation;
  const components = {
    user:
      user === null ? (
        <span>{t('All users')}</span>
      ) : (
        <b>
          <NameOf source={principals} id={user} />
        </b>
      ),
    report:
      report === null ? (
        <span>{t('all reports')}</span>
      ) : (
        <b>
          <NameOf source={reports} id={report} />
        </b>
      ),
    workspace:
      workspace === null ? (
        <span />
      ) : (
        <b>
          <NameOf source={workspaces} id={workspace} />
        </b>
      ),
  };
  return workspace === null ? (
    <Trans i18nKey="<user/>, <report/>" components={components} />
  ) : (
    <Trans i18nKey="<user/>, <report/> in <workspace/>" components={components} />
  );
}
