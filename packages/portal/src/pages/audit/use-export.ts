import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, read } from '../../api/client.js';
import { ProblemError } from '../../api/problem.js';
import { counting, openFile, type Sink } from './save-file.js';
import type { AuditQuery } from './use-audit-filters.js';

export const formats = {
  csv: { accept: 'text/csv', label: 'CSV', hint: 'For spreadsheets' },
  ndjson: { accept: 'application/x-ndjson', label: 'NDJSON', hint: 'For programs: an event a line' },
};
export type Format = keyof typeof formats;

/** The answer began well and then stopped. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}

const isCancelled = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

async function fetchInto(
  sink: Sink,
  { query, format }: { query: AuditQuery; format: Format },
  { signal, tell }: { signal: AbortSignal; tell: (bytes: number) => void },
): Promise<void> {
  const call = api.GET('/api/audit-events', {
    params: { query: { ...query, sort: '-at', limit: 1000 } },
    headers: { Accept: formats[format].accept },
    parseAs: 'stream',
    signal,
  });
  const bytes = await read<ReadableStream<Uint8Array<ArrayBuffer>> | null>(call);
  if (bytes === null) return;
  await sink(counting(bytes, tell));
}

/** Everything that matches goes into a file, as it comes. */
export function useExport(query: AuditQuery) {
  const [bytes, setBytes] = useState(0);
  const going = useRef<AbortController>(null);
  const mutation = useMutation({
    /** Gives the name of the file; null when the person thought better of it. */
    mutationFn: async (format: Format): Promise<string | null> => {
      const name = `audit-events-${new Date().toISOString().slice(0, 10)}.${format}`;
      setBytes(0);
      going.current = new AbortController();
      try {
        const sink = await openFile(name);
        await fetchInto(sink, { query, format }, { signal: going.current.signal, tell: setBytes });
        return name;
      } catch (error) {
        if (isCancelled(error)) return null;
        throw error instanceof ProblemError
          ? error
          : new BrokenOff('The export broke off.', { cause: error });
      }
    },
  });
  return { ...mutation, bytes, cancel: () => going.current?.abort() };
}
