import { Alert, Button, Card, Group, Loader, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ProblemAlert } from '../components/states.js';
import { formatBytes } from '../i18n/format.js';
import { ExportInterrupted, type useExport } from './use-export.js';

type Exporting = Pick<
  ReturnType<typeof useExport>,
  'isPending' | 'error' | 'data' | 'bytes' | 'cancel' | 'reset'
>;

/** The progress of an export, and its result. */
export function ExportProgress({ exporting }: { exporting: Exporting }) {
  const { t } = useTranslation();
  const { isPending, error, data, bytes, cancel, reset } = exporting;
  if (isPending) {
    return (
      <Card withBorder>
        <Group justify="space-between">
          <Group gap="sm">
            <Loader size="xs" aria-hidden />
            <Text size="sm" role="status">
              {t('Exporting: {{size}} so far', { size: formatBytes(bytes) })}
            </Text>
          </Group>
          <Button size="compact-sm" variant="default" onClick={cancel}>
            {t('Cancel')}
          </Button>
        </Group>
      </Card>
    );
  }
  if (error instanceof ExportInterrupted) {
    return (
      <Alert
        color="red"
        variant="light"
        role="alert"
        title={t('The export was interrupted')}
        icon={<IconAlertCircle aria-hidden />}
        withCloseButton
        closeButtonLabel={t('Close')}
        onClose={reset}
      >
        {t('The file was not saved. Try again, with filters if the export is large.')}
      </Alert>
    );
  }
  if (error !== null) return <ProblemAlert error={error} />;
  if (data === undefined || data === null) return null;
  return (
    <Alert
      color="green"
      variant="light"
      role="status"
      title={t('Export complete')}
      withCloseButton
      closeButtonLabel={t('Close')}
      onClose={reset}
    >
      {data}, {formatBytes(bytes)}
    </Alert>
  );
}
