import { Group } from '@mantine/core';
import { ExportMenu } from '../../export/export-menu.js';
import { ExportProgress } from '../../export/export-progress.js';
import { type ExportRequest, useExport } from '../../export/use-export.js';

interface Props {
  label: string;
  file: string;
  request: ExportRequest;
}

/** The export of one section of a page. */
export function ExportFigures({ label, file, request }: Props) {
  const exporting = useExport(file, request);
  return (
    <>
      <Group justify="flex-end">
        <ExportMenu exporting={exporting} label={label} />
      </Group>
      <ExportProgress exporting={exporting} />
    </>
  );
}
