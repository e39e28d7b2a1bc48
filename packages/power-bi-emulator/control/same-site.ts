import type { RequestHandler } from 'express';

/** Rejects requests that browsers mark as cross-site, so that no other web page can control the emulator. */
export const sameSite: RequestHandler = (request, response, next) => {
  if (request.get('sec-fetch-site') !== 'cross-site') next();
  else response.status(403).json({ message: 'cross-site requests are not allowed' });
};
