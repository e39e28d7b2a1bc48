interface SaveFileOptions {
  suggestedName: string;
}

declare global {
  interface Window {
    /** In Chromium, on https and on localhost. */
    showSaveFilePicker?: (options: SaveFileOptions) => Promise<FileSystemFileHandle>;
  }
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Writes the stream to a file. If the stream fails, no file remains. */
export type Sink = (bytes: Bytes) => Promise<void>;

/**
 * Asks where to save a file; the browser allows this only during a click. A browser that cannot write to a file collects
 * the stream, on disk if it is large, and downloads the complete file. Throws AbortError when the user cancels.
 */
export async function openFile(name: string): Promise<Sink> {
  const whole: Sink = (bytes) => downloadWhole(bytes, name);
  if (window.showSaveFilePicker === undefined) return whole;
  try {
    const handle = await window.showSaveFilePicker({ suggestedName: name });
    return async (bytes) => bytes.pipeTo(await handle.createWritable());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    // A policy or the embedding page forbids the dialog.
    return whole;
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
