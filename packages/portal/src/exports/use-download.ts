import { useMutation } from '@tanstack/react-query';
import { t } from 'i18next';
import { useState } from 'react';
import { api, received } from '../api/client.js';
import { ProblemError } from '../api/problem.js';
import { notifyFailure, notifyProblem } from '../components/notify.js';
import { counting, saveFile } from '../export/save-file.js';
import { bytesOf } from '../export/use-export.js';
import type { ReportExport } from './use-report-export.js';

/** Downloads the file of an export, also after its page is left; `percent` is null without a download in progress. */
export function useDownload() {
  const [bytes, setBytes] = useState(0);
  const download = useMutation({
    meta: { isDownload: true },
    mutationFn: async ({ id, file_name: name }: ReportExport) => {
      setBytes(0);
      const open = async () =>
        counting(
          await bytesOf(
            (options) => api.GET('/api/exports/{id}/file', { params: { path: { id } }, ...options }),
            'application/octet-stream',
          ),
          setBytes,
        );
      await received(saveFile(name, open));
    },
    onError: (error) =>
      error instanceof ProblemError
        ? notifyProblem(error)
        : notifyFailure(t('The file could not be saved. The disk may be full.')),
  });
  const size = download.variables?.size ?? 0;
  const percent = download.isPending && size > 0 ? Math.round((bytes / size) * 100) : null;
  return { download, percent };
}
