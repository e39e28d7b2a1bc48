import { Button, CloseButton, Group, Paper, Portal, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { textOfStored } from '../api/problem-texts.js';
import { useDownload } from './use-download.js';
import { isActive, type ReportExport, useCancelExport, type useReportExports } from './use-report-export.js';

/** Above the report, whose frame it must not push aside. */
const place = {
  position: 'fixed',
  bottom: 20,
  right: 20,
  zIndex: 250,
  width: 'min(22rem, calc(100vw - 40px))',
  maxHeight: 'calc(100dvh - 40px)',
  overflowY: 'auto',
} as const;

function useStatusText(): (current: ReportExport) => string {
  const { t } = useTranslation();
  return ({ status, percent, error }) => {
    switch (status) {
      case 'queued':
        return error === null
          ? t('Waiting to start…')
          : t('Waiting: Power BI is busy. The export starts by itself.');
      case 'running':
        return t('Exporting: {{percent}}%', { percent });
      case 'succeeded':
        return t('Ready to download');
      case 'cancelled':
        return t('Export cancelled');
      case 'expired':
        return t('The file has been deleted. Export the report again.');
      case 'failed':
      default:
        return t('Export failed');
    }
  };
}

/** The exports of a report. */
export default function ExportNotices({
  shown,
  close,
}: Pick<ReturnType<typeof useReportExports>, 'shown' | 'close'>) {
  const { t } = useTranslation();
  return (
    <Portal>
      <Paper withBorder shadow="md" p="md" role="region" aria-label={t('Export')} style={place}>
        <Stack gap="lg">
          {shown.map(({ current, isLost }) => (
            <ExportNotice
              key={current.id}
              current={current}
              isLost={isLost}
              onClose={() => close(current.id)}
            />
          ))}
        </Stack>
      </Paper>
    </Portal>
  );
}

interface NoticeProps {
  current: ReportExport;
  isLost: boolean;
  onClose: () => void;
}

/** The progress of an export, its file or why it failed or was cancelled. */
function ExportNotice({ current, isLost, onClose }: NoticeProps) {
  const { t } = useTranslation();
  const statusText = useStatusText();
  const { download, percent } = useDownload();
  const value = isActive(current) ? current.percent : percent;
  return (
    <Stack gap="xs" role="group" aria-label={current.file_name}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} truncate>
          {current.file_name}
        </Text>
        {/* What is closed cannot be opened again: an export that runs can only be cancelled. */}
        {(!isActive(current) || isLost) && <CloseButton aria-label={t('Close')} onClick={onClose} />}
      </Group>
      <Text size="sm" role="status">
        {statusText(current)}
      </Text>
      {(current.status === 'failed' || current.status === 'cancelled') && current.error !== null && (
        <Text size="sm" c="red" role="alert">
          {textOfStored(current.error)}
        </Text>
      )}
      {value !== null && <Progress value={value} aria-label={t('Progress')} />}
      <Actions current={current} download={download} />
    </Stack>
  );
}

interface ActionsProps {
  current: ReportExport;
  download: ReturnType<typeof useDownload>['download'];
}

function Actions({ current, download }: ActionsProps) {
  const { t } = useTranslation();
  const cancel = useCancelExport(current.id);
  if (isActive(current)) {
    return (
      <Group justify="flex-end">
        <Button
          size="compact-sm"
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {t('Cancel')}
        </Button>
      </Group>
    );
  }
  if (current.status !== 'succeeded') return null;
  return (
    <Group justify="flex-end">
      <Button size="compact-sm" loading={download.isPending} onClick={() => download.mutate(current)}>
        {t('Download')}
      </Button>
    </Group>
  );
}
