import { useState } from 'react';
import { t } from 'i18next';
import { Page } from '../../../components/page.js';
import { WayBack } from '../../../components/way-back.js';
import { Loading } from '../../../components/states.js';
import { useMe } from '../../../session/use-session.js';
import { settings } from '../../../settings.js';
import { BulkForm } from './bulk-form.js';
import { BulkProgress } from './bulk-progress.js';
import type { BulkRun } from './bulk-run.js';

function Steps() {
  const { data: me } = useMe();
  const [run, setRun] = useState<BulkRun>();
  if (me === undefined) return <Loading />;
  // A new form for another list.
  return run === undefined ? (
    <BulkForm me={me} onRun={setRun} />
  ) : (
    <BulkProgress run={run} onAnother={() => setRun(undefined)} />
  );
}

export const Component = () => (
  <Page
    title={t('Bulk invite')}
    above={<WayBack steps={[{ to: '/invitations', label: t('Invitations') }]} />}
    lead={
      settings.mailConfigured
        ? t('All users on the list get the same access. Each receives an individual email.')
        : t('All users on the list get the same access.')
    }
  >
    <Steps />
  </Page>
);
