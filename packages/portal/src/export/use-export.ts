import { useMutation } from '@tanstack/react-query';
import { t } from 'i18next';
import { useRef, useState } from 'react';
import { read } from '../api/client.js';
import { ProblemError } from '../api/problem.js';
import { notifyDone, notifyFailure } from '../components/notify.js';
import { useIsShown } from '../components/use-is-shown.js';
import { msg } from '../i18n/index.js';
import { counting, saveFile, withByteOrderMark } from './save-file.js';

export const formats = {
  csv: { accept: 'text/csv', label: 'CSV', hint: msg('For spreadsheets') },
  ndjson: {
    accept: 'application/x-ndjson',
    label: 'NDJSON',
    hint: msg('For programs: one JSON object per line'),
  },
};
export type Format = keyof typeof formats;

/** The response started with success and then failed. */
export class ExportInterrupted extends Error {
  override readonly name = 'ExportInterrupted';
}

interface RequestOptions {
  headers: { Accept: string };
  parseAs: 'stream';
  signal: AbortSignal | undefined;
}

/** Sends the request of an export with these options. */
export type ExportRequest = (options: RequestOptions) => Promise<{ data?: unknown; response: Response }>;

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** The body of the response. openapi-fetch returns no stream for an empty one. */
export async function bytesOf(request: ExportRequest, accept: string, signal?: AbortSignal): Promise<Bytes> {
  const call = request({ headers: { Accept: accept }, parseAs: 'stream', signal });
  return ((await read(call)) as Bytes | null | undefined) ?? new Blob().stream();
}

export const streamOf = (request: ExportRequest, format: Format, signal: AbortSignal): Promise<Bytes> =>
  bytesOf(request, formats[format].accept, signal);

/** What a mutation exports: the name of the file, and the type that it asks for. */
interface File {
  name: string;
  accept: string;
}

/** Streams the response of a request into a file, also after the page is left: a notice then tells how it ended. */
function useFile<T>(request: ExportRequest, fileOf: (given: T) => File) {
  const [bytes, setBytes] = useState(0);
  const running = useRef<AbortController>(null);
  const isShown = useIsShown();
  const mutation = useMutation({
    meta: { isDownload: true },
    /** Returns the name of the file; null if the user cancelled. */
    mutationFn: async (given: T): Promise<string | null> => {
      const { name, accept } = fileOf(given);
      setBytes(0);
      running.current = new AbortController();
      const { signal } = running.current;
      try {
        const isSaved = await saveFile(name, async () => {
          const received = await bytesOf(request, accept, signal);
          const content = accept === formats.csv.accept ? withByteOrderMark(received) : received;
          return counting(content, setBytes);
        });
        return isSaved ? name : null;
      } catch (error) {
        if (signal.aborted) return null;
        throw error instanceof ProblemError
          ? error
          : new ExportInterrupted('The export was interrupted.', { cause: error });
      }
    },
    onSuccess: (name) => {
      if (!isShown.current && name !== null) notifyDone(t('Export complete: {{name}}', { name }));
    },
    onError: (_error, given) => {
      if (isShown.current) return;
      notifyFailure(t('The export failed. {{name}} was not saved.', { name: fileOf(given).name }));
    },
  });
  return { ...mutation, bytes, cancel: () => running.current?.abort() };
}

/** Streams the response of a request into a file `<name>-<date>.<format>`. */
export const useExport = (name: string, request: ExportRequest) =>
  useFile(request, (format: Format) => ({
    name: `${name}-${new Date().toISOString().slice(0, 10)}.${format}`,
    accept: formats[format].accept,
  }));

/** Streams the response of a request into a JSON file with this name. */
export const useJsonExport = (name: string, request: ExportRequest) =>
  useFile<void>(request, () => ({ name, accept: 'application/json' }));
