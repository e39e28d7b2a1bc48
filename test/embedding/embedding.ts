import { Report } from '../../src/reports/report.entity.js';
import { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { callsTo } from '../support/syncing.js';

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
  return {
    service,
    report,
    workspace,
    embed: (caller: Client, { id }: Report, body?: object) =>
      caller.post<Token>(`/api/reports/${id}/embed-token`, body),
    /** The GenerateToken calls to Power BI. */
    tokenRequests: () => callsTo(service, /GenerateToken/),
    forgetCalls: () => service.powerBi.delete('/__emulator/calls'),
    settings: (change: object) => service.powerBi.patch('/__emulator/settings', change),
    fault: (fault: object) => service.powerBi.post('/__emulator/faults', { path: 'GenerateToken', ...fault }),
    clearFaults: () => service.powerBi.delete('/__emulator/faults'),
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
