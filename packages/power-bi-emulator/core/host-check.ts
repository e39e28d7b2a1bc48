import type { RequestHandler } from 'express';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Accepts only its own host names, so that no web page can reach it through a name that resolves to it (DNS rebinding).
 */
export function hostCheck(allowedHosts: string[]): RequestHandler {
  const allowed = new Set([...loopback, ...allowedHosts.map((each) => each.toLowerCase())]);
  return (request, response, next) => {
    const host = request.headers.host?.toLowerCase().replace(/:\d+$/, '') ?? '';
    if (allowed.has(host)) next();
    else
      response.status(421).json({ Message: `The emulator does not accept requests for the host ${host}.` });
  };
}
