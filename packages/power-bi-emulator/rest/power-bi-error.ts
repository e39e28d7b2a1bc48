import type { Response } from 'express';
import type { Emulator } from '../emulator.js';

/** An error response in one of Power BI's formats. */
export class PowerBiError extends Error {
  constructor(
    readonly status: number,
    readonly body?: unknown,
    readonly headers: Record<string, string> = {},
  ) {
    super(`${status}`);
  }

  send(response: Response): void {
    response.status(this.status).set(this.headers);
    if (this.body === undefined) response.set('Content-Length', '0').end();
    else response.json(this.body);
  }
}

export function invalidRequest(message: string): PowerBiError {
  return coded(400, 'InvalidRequest', message);
}

export function coded(status: number, code: string, message: string): PowerBiError {
  return new PowerBiError(status, { error: { code, message } });
}

/** The detailed format, with the error code in the header that older clients read. */
export function pbiError(status: number, code: string): PowerBiError {
  const details = { code, parameters: {}, details: [], exceptionCulprit: 1 };
  return new PowerBiError(status, { error: { code, 'pbi.error': details } }, infoHeader(code));
}

export function headerOnly(status: number, code: string): PowerBiError {
  return new PowerBiError(status, undefined, infoHeader(code));
}

export function entityNotFound(emulator: Emulator): PowerBiError {
  return pbiError(emulator.guess('not_found') === '404' ? 404 : 401, 'PowerBIEntityNotFound');
}

export function notAuthorized(): PowerBiError {
  return pbiError(401, 'PowerBINotAuthorizedException');
}

export function infoHeader(code: string): Record<string, string> {
  return { 'x-powerbi-error-info': code };
}
