import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { applicationOptions, configureApp } from '../../src/configure-app.js';
import { Clock } from '../../src/core/clock.js';
import { Config } from '../../src/core/config/config.js';
import { HardenedExpressAdapter } from '../../src/core/http/hardened-express.adapter.js';
import { StartupTasks } from '../../src/core/lifecycle/startup-tasks.service.js';
import type { TestClock } from './clock.js';
import { guardConnections, requireNoBreach } from './connection-guard.js';

export type Override = (testing: TestingModuleBuilder, config: Config) => void;

export interface Application {
  app: NestExpressApplication;
  url: string;
  close: () => Promise<void>;
}

/** Starts the service inside the test process, and does not wait for its startup tasks. */
export async function listenOnly(
  environment: Record<string, string>,
  clock: Clock,
  override: Override = () => undefined,
): Promise<NestExpressApplication> {
  const config = Config.load(environment);
  const builder = Test.createTestingModule({ imports: [AppModule.forRoot(config)] })
    .overrideProvider(Clock)
    .useValue(clock);
  override(builder, config);
  const testing = await builder.compile();
  const app = testing.createNestApplication<NestExpressApplication>(
    new HardenedExpressAdapter(config),
    applicationOptions,
  );
  configureApp(app);
  await app.listen(0, '127.0.0.1');
  return app;
}

/** Starts the service inside the test process and waits until its startup tasks are complete. */
export async function startApplication(
  environment: Record<string, string>,
  clock: TestClock,
  override?: Override,
): Promise<Application> {
  const app = await listenOnly(environment, clock, override);
  await app.get(StartupTasks).completed();
  const breaches = guardConnections(app.get(DataSource));
  const close = async (): Promise<void> => {
    await app.close();
    requireNoBreach(breaches());
  };
  return { app, url: await app.getUrl(), close };
}
