import { Button, Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { load } from '../load/load-error.js';

const RequestAccessByLink = lazy(load(() => import('./request-access.js')));

/** For pages that have no target of their own: the dialog asks for its link. */
export function RequestAccessButton() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('Request access')}
      </Button>
      {isOpen && (
        <Suspense>
          <RequestAccessByLink onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** For lists of a user without access to anything. */
export function RequestAccessHint() {
  const { t } = useTranslation();
  return (
    <Stack align="center" gap="sm">
      {t('Request access with the link to a report or workspace, or contact an administrator.')}
      <RequestAccessButton />
    </Stack>
  );
}
