import { Anchor } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { t } from 'i18next';
import { load } from '../load/load-error.js';

const ReportProblemDialog = lazy(load(() => import('./report-problem-dialog.js')));

interface Props {
  opened: boolean;
  onClose: () => void;
}

export const ReportProblem = ({ opened, onClose }: Props) =>
  opened && (
    <Suspense>
      <ReportProblemDialog onClose={onClose} />
    </Suspense>
  );

/** Below a failure that the user cannot do anything about. */
export function ReportProblemButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)}>
        {t('Report a problem')}
      </Anchor>
      <ReportProblem opened={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
