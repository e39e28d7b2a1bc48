import { Injectable } from '@nestjs/common';
import { Logger } from 'nestjs-pino';

/** Where Nest reports each module, controller and route that it sets up: over a hundred lines a start. */
const framework = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** The log of the service: what the framework tells at `info` is for whoever debugs a start. */
@Injectable()
export class ServiceLogger extends Logger {
  override log(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    if (typeof context === 'string' && framework.has(context)) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }
}
