import type { Request } from 'express';
import { bodyOf, textOf } from '../core/body.js';
import { isObject } from '../core/is-object.js';
import type { Emulator } from '../emulator.js';
import { invalidRequest, PowerBiError } from './power-bi-error.js';

const noContentType =
  'The request contains an entity body but no Content-Type header. ' +
  'The inferred media type application/octet-stream is not supported for this resource.';

/** The JSON object in the body; an empty body counts as an empty object. Throws PowerBiError. */
export function jsonBody(emulator: Emulator, request: Request): Record<string, unknown> {
  if (textOf(request) === '') return {};
  const guess = emulator.guess('missing_content_type');
  if (!request.get('content-type') && guess !== 'parsed') {
    throw new PowerBiError(Number(guess), { Message: noContentType });
  }
  const body = bodyOf(request);
  if (!isObject(body)) {
    throw invalidRequest('The request body is missing or is not valid JSON');
  }
  return body;
}
