import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { RequestAccessHint } from '../../access/request-access-hint.js';
import { Empty } from '../../components/states.js';
import { isAdmin, useMe } from '../../session/use-session.js';

interface Props {
  /** Level of its heading: 3 inside a section. */
  order?: 2 | 3;
}

export function NoWorkspaces({ order }: Props) {
  const { t } = useTranslation();
  const { data: me } = useMe();
  if (isAdmin(me))
    return (
      <Empty order={order} title={t('No workspaces yet')}>
        {t('Workspaces are imported from Power BI by a sync.')}
        <div>
          <Button component={Link} to="/syncs" mt="sm">
            {t('Go to Syncs')}
          </Button>
        </div>
      </Empty>
    );
  return (
    <Empty order={order} title={t("You don't have access to any workspaces yet")}>
      <RequestAccessHint />
    </Empty>
  );
}
