/** A part of the portal that was not loaded: there is no connection, or an update removed its file. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}

/** Wraps `import()`: distinguishes a failed load from a part that fails while it runs. */
export function load<T>(importPart: () => Promise<T>): () => Promise<T> {
  return () =>
    importPart().catch((cause: unknown) => {
      throw new LoadError('A part of the portal was not loaded.', { cause });
    });
}
