import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Agent, request } from 'undici';
import { AppModule } from './app.module.js';
import { StartupTasks } from './core/lifecycle/startup-tasks.service.js';
import { ListenFailure, listenFailure } from './core/http/listen-failure.js';
import { Config } from './core/config/config.js';
import { ConfigError } from './core/config/environment.js';
import { applicationOptions, configureApp } from './configure-app.js';
import { HardenedExpressAdapter } from './core/http/hardened-express.adapter.js';

interface Service {
  url: string;
  /** Drains open requests, stops background work and closes every connection. Repeated calls return the same promise. */
  close(): Promise<void>;
}

/** A balancer without health checks uses a replica as soon as it listens; probes expect it to listen while the database is down. */
const MAX_WAIT_BEFORE_LISTENING_MS = 5_000;

/**
 * Starts the service from the environment and resolves when it listens: when it is ready, or after 5 s; `/readyz` reports when it is ready. Throws
 * ConfigError if variables are missing or malformed, ListenFailure if the port or address is not available.
 */
export async function start(config = Config.load()): Promise<Service> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config),
    new HardenedExpressAdapter(config),
    applicationOptions,
  );
  configureApp(app);
  await app.init();
  const startup = app.get(StartupTasks);
  const started = startup.completed();
  const isReady = started.catch(() => undefined);
  await Promise.race([isReady, sleep(MAX_WAIT_BEFORE_LISTENING_MS, undefined, { ref: false })]);
  const { port, host } = config.http;
  await app.listen(port, host).catch((error: unknown) => {
    throw listenFailure(error, { port, host, portVariable: 'PORT' });
  });
  const url = await app.getUrl();
  new Logger('Process').log({ msg: 'listening', url });
  await loadHttpParser(url);
  started.catch((error: unknown) => startup.isStopping || fail(error));
  let closing: Promise<void> | undefined;
  return { url, close: () => (closing ??= app.close()) };
}

/**
 * undici loads its HTTP parser with the first connection of an agent: later, an upgrade may have replaced the files
 * of this replica. An explicit agent, because the default one belongs to Node's bundled undici.
 */
async function loadHttpParser(url: string): Promise<void> {
  const dispatcher = new Agent();
  try {
    const { body } = await request(`${url}/livez`, { dispatcher });
    await body.dump();
  } catch (error) {
    new Logger('Process').debug({ msg: 'the HTTP parser is not loaded yet', err: error });
  } finally {
    await dispatcher.close();
  }
}

/** Ends the process after a startup failure that waiting cannot fix. */
function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
  // Deferred until `main` has registered its signal handlers.
  setImmediate(() => process.kill(process.pid, 'SIGTERM'));
}

/** Shuts down gracefully, or by force after a timeout: a hanging task must not delay the replacement replica. */
async function end(
  starting: Promise<Service>,
  { shutdown }: Config['serverLimits'],
  reason: string,
): Promise<void> {
  const logger = new Logger('Process');
  logger.log({ msg: 'stopping', signal: reason });
  setTimeout(() => {
    console.error(
      `Shutdown did not complete within ${shutdown.forcedSeconds} seconds: the process is terminated.`,
    );
    process.exit(1);
  }, shutdown.forcedSeconds * 1000).unref();
  try {
    await (await starting).close();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  logger.log({ msg: 'stopped', signal: reason });
  process.exit();
}

/** Runs the process: starts the service, and closes it on a signal or an uncaught exception. */
export async function main(): Promise<void> {
  try {
    const config = Config.load();
    // Signals have handlers before the service is ready.
    const starting = start(config);
    let ending: Promise<void> | undefined;
    // A repeated signal does not restart the shutdown.
    const endOnce = (reason: string): void => {
      ending ??= end(starting, config.serverLimits, reason);
    };
    process.on('SIGTERM', endOnce).on('SIGINT', endOnce);
    // The process state is unknown: complete the running requests, then let another process take over.
    process.on('uncaughtException', (error: Error, origin) => {
      new Logger('Process').fatal({ msg: `shutting down: ${origin}`, err: error });
      process.exitCode = 1;
      endOnce(origin);
    });
    await starting;
    setFlagsFromString('--semi-space-growth-factor=2');
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof ListenFailure)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
