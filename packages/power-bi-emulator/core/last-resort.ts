import type { ErrorRequestHandler } from 'express';

/** What is left: an address or a body that cannot be read, and our own mistakes, which are told on the console. */
export const lastResort: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) {
    next(error);
    return;
  }
  const { status } = error as { status?: number };
  if (status !== undefined && status >= 400 && status < 500) {
    const message = 'The request cannot be read';
    response.status(status).json({ error: { code: 'InvalidRequest', message } });
    return;
  }
  console.error(error);
  response.status(500).json({ Message: 'An error has occurred.' });
};
