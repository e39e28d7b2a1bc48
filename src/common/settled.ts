/** Of what was asked for at the same time the first trouble is told, in the order in which it matters. */
export function settled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
