import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../components/dialog.js';
import { QueryView } from '../../../components/query-view.js';
import { Empty } from '../../../components/states.js';
import { manages, type Me, useMe } from '../../../session/use-session.js';
import type { Report } from '../report-rows.js';
import type { ActiveView } from './use-view-in-url.js';
import { useViews, type View } from './use-views.js';
import { ViewRow } from './view-row.js';

interface Props {
  report: Report;
  active: ActiveView;
  onClose: () => void;
}

/** Owners change their own views, managers of the workspace also the shared ones. */
const canChange = (me: Me | undefined, report: Report, view: View): boolean =>
  view.created_by === me?.id || (view.scope === 'shared' && manages(me, report.workspace_id));

/** Renames and deletes saved views, and copies links to them. */
export default function ManageViews({ report, active, onClose }: Props) {
  const { t } = useTranslation();
  const { data: me } = useMe();
  const views = useViews(report.id);
  const [renamed, setRenamed] = useState<string>();
  return (
    <Dialog onClose={onClose} title={t('Saved views')} size="lg">
      <QueryView query={views}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={t('No saved views yet')} />
          ) : (
            <Stack component="ul" gap={0} p={0} m={0} className="views">
              {found.map((view) => (
                <ViewRow
                  key={view.id}
                  reportId={report.id}
                  view={view}
                  canChange={canChange(me, report, view)}
                  isRenamed={view.id === renamed}
                  onRename={(isRenamed) => setRenamed(isRenamed ? view.id : undefined)}
                  onDeleted={() => view.id === active.id && active.clear()}
                />
              ))}
            </Stack>
          )
        }
      </QueryView>
    </Dialog>
  );
}
