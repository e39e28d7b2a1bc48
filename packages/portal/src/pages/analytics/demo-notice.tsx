import { Alert } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { t } from 'i18next';
import { settings } from '../../settings.js';

/** Marks generated figures; only a local start has them. */
export const DemoNotice = () =>
  settings.hasDemoUsage ? (
    <Alert color="blue" variant="light" title={t('Demo data')} icon={<IconFlask aria-hidden />}>
      {t('Usage before the first start of this demo is generated. Views after it are real.')}
    </Alert>
  ) : null;
