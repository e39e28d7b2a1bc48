import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Parses the JSON file that the variable names. */
export const read = <T>(name: string): T => JSON.parse(readFileSync(process.env[name] ?? '', 'utf8')) as T;

export function send(response: ServerResponse, body: string): void {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

export function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

/** Listens on `PORT`; an error becomes a 500. */
export function listen(serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>): void {
  createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(error);
      refuse(response, 500);
    });
  }).listen(Number(process.env.PORT), '127.0.0.1');
}
