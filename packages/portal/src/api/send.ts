/** Longer than any response of the service, except files: detects a dead connection. */
const TIMEOUT_MS = 60_000;

/** Requests of files name their type. The limit ends with their headers: a large file takes minutes. */
export async function send(request: Request, token: string | undefined): Promise<Response> {
  const copy = request.clone();
  if (token !== undefined) copy.headers.set('Authorization', `Bearer ${token}`);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException('No response.', 'TimeoutError')), TIMEOUT_MS);
  const response = await fetch(copy, { signal: AbortSignal.any([request.signal, late.signal]) });
  if (request.headers.has('Accept')) clearTimeout(timer);
  return response;
}
