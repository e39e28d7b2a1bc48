import type { RequestHandler } from 'express';

/** Headers that scripts of other origins may read. */
const exposed =
  'RequestId, Retry-After, Location, x-ms-request-id, x-powerbi-error-info, Content-Disposition';

/** Lets pages of any origin call Power BI and Entra, as Microsoft's samples in the browser do. */
export const cors: RequestHandler = (request, response, next) => {
  if (request.get('origin') === undefined) {
    next();
    return;
  }
  response.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed });
  const method = request.get('access-control-request-method');
  if (request.method !== 'OPTIONS' || method === undefined) {
    next();
    return;
  }
  response.set({
    'Access-Control-Allow-Methods': method,
    'Access-Control-Allow-Headers': request.get('access-control-request-headers') ?? '*',
    'Access-Control-Max-Age': '86400',
  });
  response.status(204).end();
};
