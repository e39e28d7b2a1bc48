import { Button, Group } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { ExportProgress } from './export-progress.js';
import { type ExportRequest, useJsonExport } from './use-export.js';

interface Props {
  label: string;
  fileName: string;
  request: ExportRequest;
}

/** A button that downloads a JSON file, with its progress. */
export function DownloadJson({ label, fileName, request }: Props) {
  const exporting = useJsonExport(fileName, request);
  // The button is not disabled meanwhile: a disabled button loses the focus.
  const download = (): void => {
    if (!exporting.isPending) exporting.mutate();
  };
  return (
    <>
      <Group>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          aria-busy={exporting.isPending}
          onClick={download}
        >
          {label}
        </Button>
      </Group>
      <ExportProgress exporting={exporting} />
    </>
  );
}

export const personalDataFile = (id: string): string => `vitrine-personal-data-${id}.json`;
