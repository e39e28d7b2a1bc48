/** Runs `work` for all items, at most `concurrency` at a time. Throws the first failure, after which no work starts. */
export async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // A generator, because `for` closes it when `work` throws, which stops the other workers too.
  const left = (function* () {
    yield* items;
  })();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
