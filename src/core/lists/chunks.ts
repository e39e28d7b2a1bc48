/** The rows in their order, up to `size` at a time. */
export function* chunksOf<T>(rows: readonly T[], size: number): Generator<T[]> {
  for (let first = 0; first < rows.length; first += size) yield rows.slice(first, first + size);
}
