import type { ErrorRequestHandler } from 'express';

/**
 * Last error handler: unreadable URLs and bodies return their 4xx status; defects are logged to the console and return
 * 500.
 */
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
