interface Picked {
  suggestedName: string;
}

declare global {
  interface Window {
    /** Chromium only, and only where the page came over https or from this machine. */
    showSaveFilePicker?: (options: Picked) => Promise<FileSystemFileHandle>;
  }
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Takes what comes to where it is kept. When it breaks off, no file is left. */
export type Sink = (bytes: Bytes) => Promise<void>;

/**
 * Asks where to keep a file, while a click still counts as one. Where the browser cannot write a file piece by piece, it
 * collects the pieces (on its own disk when they are many) and downloads the file when it is whole.
 */
export async function openFile(name: string): Promise<Sink> {
  if (window.showSaveFilePicker === undefined) return (bytes) => downloadWhole(bytes, name);
  const handle = await window.showSaveFilePicker({ suggestedName: name });
  return async (bytes) => bytes.pipeTo(await handle.createWritable());
}

async function downloadWhole(bytes: Bytes, name: string): Promise<void> {
  const url = URL.createObjectURL(await new Response(bytes).blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Tells how many bytes have gone by. */
export function counting(bytes: Bytes, tell: (total: number) => void): Bytes {
  let total = 0;
  return bytes.pipeThrough(
    new TransformStream({
      transform(chunk: Uint8Array<ArrayBuffer>, controller) {
        total += chunk.byteLength;
        tell(total);
        controller.enqueue(chunk);
      },
    }),
  );
}
