import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { read } from '../api/client.js';
import { ProblemError } from '../api/problem.js';
import { counting, openFile } from './save-file.js';

export const formats = {
  csv: { accept: 'text/csv', label: 'CSV', hint: 'For spreadsheets' },
  ndjson: { accept: 'application/x-ndjson', label: 'NDJSON', hint: 'For programs: one JSON object per line' },
};
export type Format = keyof typeof formats;

/** The response started with success and then failed. */
export class ExportInterrupted extends Error {
  override readonly name = 'ExportInterrupted';
}

const isCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

interface RequestOptions {
  headers: { Accept: string };
  parseAs: 'stream';
  signal: AbortSignal;
}

/** Sends the request of an export with these options. */
export type ExportRequest = (options: RequestOptions) => Promise<{ data?: unknown; response: Response }>;

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** The body of the response. openapi-fetch returns no stream for an empty one. */
export async function streamOf(request: ExportRequest, format: Format, signal: AbortSignal): Promise<Bytes> {
  const call = request({ headers: { Accept: formats[format].accept }, parseAs: 'stream', signal });
  return ((await read(call)) as Bytes | null | undefined) ?? new Blob().stream();
}

/** Streams the response of a request into a file `<name>-<date>.<format>`. */
export function useExport(name: string, request: ExportRequest) {
  const [bytes, setBytes] = useState(0);
  const running = useRef<AbortController>(null);
  const mutation = useMutation({
    /** Returns the name of the file; null if the user cancelled. */
    mutationFn: async (format: Format): Promise<string | null> => {
      const file = `${name}-${new Date().toISOString().slice(0, 10)}.${format}`;
      setBytes(0);
      running.current = new AbortController();
      try {
        const sink = await openFile(file);
        const stream = await streamOf(request, format, running.current.signal);
        await sink(counting(stream, setBytes));
        return file;
      } catch (error) {
        if (isCancelled(error)) return null;
        throw error instanceof ProblemError
          ? error
          : new ExportInterrupted('The export was interrupted.', { cause: error });
      }
    },
  });
  return { ...mutation, bytes, cancel: () => running.current?.abort() };
}
