interface SaveFileOptions {
  suggestedName: string;
}

interface ChosenFile extends FileSystemFileHandle {
  remove?: () => Promise<void>;
}

declare global {
  interface Window {
    /** In Chromium, on https and on localhost. */
    showSaveFilePicker?: (options: SaveFileOptions) => Promise<ChosenFile>;
  }
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * Asks where to save a file, then saves the stream that `open` returns; the browser asks only during a click. A browser that
 * cannot write to a file collects the stream, on disk if it is large, and downloads the complete file. Returns false if the
 * user closes the dialog.
 */
export async function saveFile(name: string, open: () => Promise<Bytes>): Promise<boolean> {
  let file: ChosenFile | undefined;
  try {
    file = await window.showSaveFilePicker?.({ suggestedName: name });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    // A policy or the embedding page forbids the dialog.
  }
  if (file === undefined) await downloadWhole(await open(), name);
  else await write(file, open);
  return true;
}

async function write(file: ChosenFile, open: () => Promise<Bytes>): Promise<void> {
  try {
    const bytes = await open();
    await bytes.pipeTo(await file.createWritable());
  } catch (error) {
    // The dialog has created the file, or emptied the one that is replaced.
    await file.remove?.().catch(() => undefined);
    throw error;
  }
}

async function downloadWhole(bytes: Bytes, name: string): Promise<void> {
  const url = URL.createObjectURL(await new Response(bytes).blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download no longer needs the URL by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf]);

/** Without a byte order mark Excel does not read CSV as UTF-8. */
export const withByteOrderMark = (bytes: Bytes): Bytes =>
  bytes.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(BYTE_ORDER_MARK),
    }),
  );

/** Calls `onProgress` with the number of bytes so far. */
export function counting(bytes: Bytes, onProgress: (total: number) => void): Bytes {
  let total = 0;
  return bytes.pipeThrough(
    new TransformStream({
      transform(chunk: Uint8Array<ArrayBuffer>, controller) {
        total += chunk.byteLength;
        onProgress(total);
        controller.enqueue(chunk);
      },
    }),
  );
}
