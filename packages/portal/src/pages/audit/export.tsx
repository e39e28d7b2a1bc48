import { Alert, Button, Card, Group, Loader, Menu, Text } from '@mantine/core';
import { IconAlertCircle, IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Confirm } from '../../components/confirm.js';
import { ProblemAlert } from '../../components/states.js';
import { BrokenOff, type Format, formats, type useExport } from './use-export.js';

type Export = ReturnType<typeof useExport>;

/** `950 B`, `12.3 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

interface MenuProps {
  exporting: Export;
  isFiltered: boolean;
}

export function ExportMenu({ exporting, isFiltered }: MenuProps) {
  const [asked, setAsked] = useState<Format | null>(null);
  const choose = (format: Format): void => (isFiltered ? exporting.mutate(format) : setAsked(format));
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            rightSection={<IconChevronDown size={16} aria-hidden />}
            disabled={exporting.isPending}
          >
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Everything that the filters let through</Menu.Label>
          {(Object.keys(formats) as Format[]).map((format) => (
            <Menu.Item key={format} onClick={() => choose(format)}>
              {formats[format].label}
              <Text size="xs" c="dimmed">
                {formats[format].hint}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        title="Export the whole trail?"
        action="Export everything"
        color="blue"
        opened={asked !== null}
        onConfirm={() => {
          if (asked !== null) exporting.mutate(asked);
          setAsked(null);
        }}
        onClose={() => setAsked(null)}
      >
        No filter is set. A trail of years can be a file of gigabytes and take a long while; a time range
        makes it smaller.
      </Confirm>
    </>
  );
}

/** How far an export is, and what became of it. */
export function ExportProgress({ exporting }: { exporting: Export }) {
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
            Stop
          </Button>
        </Group>
      </Card>
    );
  }
  if (error instanceof BrokenOff) {
    return (
      <Alert
        color="red"
        variant="light"
        role="alert"
        title="The export broke off"
        icon={<IconAlertCircle aria-hidden />}
        withCloseButton
        closeButtonLabel="Close"
        onClose={reset}
      >
        It was not whole, so no file was kept. Start it again, with a shorter time range if it was large.
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
      title="The export is done"
      withCloseButton
      closeButtonLabel="Close"
      onClose={reset}
    >
      {data}, {size(bytes)}
    </Alert>
  );
}
