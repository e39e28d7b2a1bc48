import { Alert, Button, Card, Group, Loader, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { ProblemAlert } from '../components/states.js';
import { ExportInterrupted, type useExport } from './use-export.js';

/** `950 B`, `12.3 MB`. */
function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The progress of an export, and its result. */
export function ExportProgress({ exporting }: { exporting: ReturnType<typeof useExport> }) {
  const { isPending, error, data, bytes, cancel, reset } = exporting;
  if (isPending) {
    return (
      <Card withBorder>
        <Group justify="space-between">
          <Group gap="sm">
            <Loader size="xs" aria-hidden />
            <Text size="sm" role="status">
              Exporting: {size(bytes)} so far
            </Text>
          </Group>
          <Button size="compact-sm" variant="default" onClick={cancel}>
            Cancel
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
        title="The export was interrupted"
        icon={<IconAlertCircle aria-hidden />}
        withCloseButton
        closeButtonLabel="Close"
        onClose={reset}
      >
        The file was incomplete and is not kept. Start the export again, with filters if it is large.
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
      title="Export complete"
      withCloseButton
      closeButtonLabel="Close"
      onClose={reset}
    >
      {data}, {size(bytes)}
    </Alert>
  );
}
