import { Injectable } from '@nestjs/common';
import { Logger } from 'nestjs-pino';

/** Contexts in which Nest reports each module, controller and route: over a hundred lines per startup. */
const framework = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** Logger of the service. Framework messages at `info` are logged at `debug`, because they only help to debug a startup. */
@Injectable()
export class ServiceLogger extends Logger {
  override log(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    if (typeof context === 'string' && framework.has(context)) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }
}
