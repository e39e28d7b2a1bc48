import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { Clock } from '../../src/core/clock.js';
import { StartupTasks } from '../../src/core/lifecycle/startup-tasks.service.js';
import { Config } from '../../src/core/config/config.js';
import { applicationOptions, configureApp } from '../../src/configure-app.js';
import { HardenedExpressAdapter } from '../../src/core/http/hardened-express.adapter.js';
import { Client } from './client.js';
import { guardConnections, requireNoBreach } from './connection-guard.js';
import type { Service } from './service.js';

export interface Replica {
  app: NestExpressApplication;
  /** The same person, calling this replica. */
  as: (client: Client) => Client;
  close: () => Promise<void>;
}

/** One more of the same service: it shares the database, the emulator and the clock, and nothing in memory. */
export async function startReplica(service: Service): Promise<Replica> {
  const config = Config.load(service.environment);
  const testing = await Test.createTestingModule({ imports: [AppModule.forRoot(config)] })
    .overrideProvider(Clock)
    .useValue(service.clock)
    .compile();
  const app = testing.createNestApplication<NestExpressApplication>(
    new HardenedExpressAdapter(config),
    applicationOptions,
  );
  configureApp(app);
  await app.listen(0, '127.0.0.1');
  await app.get(StartupTasks).completed();
  const breaches = guardConnections(app.get(DataSource));
  const url = await app.getUrl();
  return {
    app,
    as: ({ token }) => new Client(url, token),
    close: async () => {
      await app.close();
      requireNoBreach(breaches());
    },
  };
}
