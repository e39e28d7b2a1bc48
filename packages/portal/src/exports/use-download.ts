import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { received } from '../api/client.js';
import { problemOf, unreachable } from '../api/problem.js';
import { counting, saveFile } from '../export/save-file.js';
import { session } from '../session/session.js';
import { basePath } from '../settings.js';
import type { ReportExport } from './use-report-export.js';

/** Without the time limit of other requests: a large file on a slow line takes minutes. */
async function fetchFile(id: string): Promise<Response> {
  const token = await session.accessToken();
  const headers = token === undefined ? undefined : { Authorization: `Bearer ${token}` };
  const response = await fetch(`${basePath}/api/exports/${id}/file`, { headers }).catch(() => {
    throw unreachable();
  });
  if (response.ok) return response;
  throw problemOf(response, await response.json().catch(() => undefined));
}

/** Downloads the file of an export; `percent` is null without a download in progress. */
export function useDownload() {
  const [bytes, setBytes] = useState(0);
  const download = useMutation({
    meta: { isDownload: true },
    mutationFn: async ({ id: exportId, file_name: name }: ReportExport) => {
      setBytes(0);
      const open = async () => {
        const { body } = await fetchFile(exportId);
        return counting(body ?? new Blob().stream(), setBytes);
      };
      await received(saveFile(name, open));
    },
  });
  const size = download.variables?.size ?? 0;
  const percent = download.isPending && size > 0 ? Math.round((bytes / size) * 100) : null;
  return { download, percent };
}
