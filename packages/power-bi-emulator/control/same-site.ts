import type { RequestHandler } from 'express';

/** Keeps web pages out: a browser tells where a request comes from, and no page elsewhere turns these knobs. */
export const sameSite: RequestHandler = (request, response, next) => {
  if (request.get('sec-fetch-site') !== 'cross-site') next();
  else response.status(403).json({ message: 'not from another site' });
};
