import { useState } from 'react';
import { Page } from '../../../components/page.js';
import { WayBack } from '../../../components/way-back.js';
import { Empty, Loading } from '../../../components/states.js';
import { managesAny, useMe } from '../../../session/use-session.js';
import { BulkForm } from './bulk-form.js';
import { BulkProgress } from './bulk-progress.js';
import type { BulkRun } from './bulk-run.js';

function Steps() {
  const { data: me } = useMe();
  const [run, setRun] = useState<BulkRun>();
  if (me === undefined) return <Loading />;
  if (!managesAny(me)) {
    return <Empty title="You may not invite">You can invite people once you manage a workspace.</Empty>;
  }
  // The form stays as it was, for a list that turns out to need another try.
  return run === undefined ? (
    <BulkForm me={me} onRun={setRun} />
  ) : (
    <BulkProgress run={run} onAnother={() => setRun(undefined)} />
  );
}

export const Component = () => (
  <Page
    title="Bulk invite"
    above={<WayBack steps={[{ to: '/invitations', label: 'Invitations' }]} />}
    lead="Everybody on it gets the same access, and a mail of their own."
  >
    <Steps />
  </Page>
);
