import type { RequestHandler } from 'express';

/** A path that neither Power BI nor Entra has. Clients of both parse JSON, never HTML. */
export const notFound: RequestHandler = (request, response) => {
  const message = `The emulator does not serve ${request.method} ${request.path}.`;
  response.status(404).json({ error: 'not_found', error_description: message });
};
