import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { Config } from './config/config.js';
import { ConfigError } from './config/environment.js';
import { configureApp } from './configure-app.js';
import { Startup } from './startup.service.js';

export interface Service {
  url: string;
  /** Ends what is running and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts the service as the environment says and resolves when it listens; `/readyz` tells when it is ready.
 * Throws ConfigError when variables are missing or malformed.
 */
export async function start(config = Config.load()): Promise<Service> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.of(config), {
    bufferLogs: true,
    bodyParser: false,
  });
  configureApp(app);
  const startup = app.get(Startup);
  await app.listen(config.http.port, config.http.host);
  const started = startup.run();
  started.catch((error: unknown) => fail(error));
  return {
    url: await app.getUrl(),
    close: async () => {
      await startup.stop();
      await started.catch(() => undefined);
      await app.close();
    },
  };
}

/** A start that cannot succeed by waiting. */
function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}

async function main(): Promise<void> {
  try {
    const service = await start();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => void service.close().then(() => process.exit()));
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

const program = process.argv[1];
if (program !== undefined && import.meta.url === pathToFileURL(realpathSync(program)).href) await main();
