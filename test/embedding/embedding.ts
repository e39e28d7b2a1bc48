import { Report } from '../../src/reports/report.entity.js';
import { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { callsTo } from '../support/syncing.js';
import { until } from '../support/until.js';

export interface Token {
  token: string;
  token_id: string;
  expires_at: string;
  expires_in: number;
  refresh_in: number;
  code?: string;
  detail?: string;
}

/** A service with the demo content, and helpers for embed tests. */
export async function startEmbedding(variables: Record<string, string> = {}) {
  const service: Service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0', ...variables });
  await service.sync();
  const report = (name: string) => service.database.getRepository(Report).findOneByOrFail({ name });
  const workspace = (name: string) => service.database.getRepository(Workspace).findOneByOrFail({ name });
  /** The GenerateToken calls to Power BI. */
  const tokenRequests = () => callsTo(service, /GenerateToken/);
  const fault = (change: object) =>
    service.powerBi.post('/__emulator/faults', { path: 'GenerateToken', ...change });
  const clearFaults = () => service.powerBi.delete('/__emulator/faults');
  /** Sends the request, and does one work after the other, each while Power BI is asked once more. */
  async function meanwhile<T>(request: () => Promise<T>, ...works: (() => Promise<unknown>)[]): Promise<T> {
    let calls = (await tokenRequests()).length;
    await fault({ hold: true, times: works.length });
    const response = request();
    try {
      for (const work of works) {
        calls += 1;
        await until(async () => (await tokenRequests()).length >= calls);
        await work();
        await service.powerBi.post('/__emulator/faults/release');
      }
    } finally {
      await clearFaults();
    }
    return response;
  }
  return {
    service,
    report,
    workspace,
    embed: (caller: Client, { id }: Report, body?: object) =>
      caller.post<Token>(`/api/reports/${id}/embed-token`, body),
    tokenRequests,
    meanwhile,
    forgetCalls: () => service.powerBi.delete('/__emulator/calls'),
    settings: (change: object) => service.powerBi.patch('/__emulator/settings', change),
    fault,
    clearFaults,
    /** Advances the clocks of the service and of Power BI. */
    advance: async (seconds: number) => {
      service.clock.advance(seconds);
      await service.powerBi.post('/__emulator/clock', { advance_seconds: seconds });
    },
    policy: async (admin: Client, datasetName: string, policy: object) => {
      const { body } = await admin.get<{ datasets: { id: string; name: string }[] }>('/api/datasets');
      const { id } = body.datasets.find(({ name }) => name === datasetName)!;
      return admin.put(`/api/datasets/${id}/identity-policy`, policy);
    },
  };
}

export type Embedding = Awaited<ReturnType<typeof startEmbedding>>;
