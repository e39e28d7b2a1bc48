import type { GaugeDefinition } from './gauges.js';
import type { StoredState } from './stored-state.service.js';

type StateReader = () => Promise<StoredState | undefined>;
type Samples = Awaited<ReturnType<GaugeDefinition['samples']>>;

const results = ['succeeded', 'partial', 'failed'] as const;

const lastSync = ({ lastSync: last }: StoredState): Samples =>
  last === null ? [] : results.map((result) => [Number(last.status === result), { result }]);

/** Gauges read from the database, identical on every replica. */
export const storedGauges = (find: StateReader): GaugeDefinition[] => {
  const from = (read: (state: StoredState) => Samples) => async () => {
    const state = await find();
    return state === undefined ? [] : read(state);
  };
  return [
    {
      name: 'database_up',
      help: 'Whether the metrics queries of the database succeeded within the last 90 s',
      samples: async () => [[Number((await find()) !== undefined)]],
    },
    {
      name: 'jobs',
      help: 'Background jobs by queue and state; dead: no retries left',
      labels: ['queue', 'state'],
      samples: from(({ backlog }) =>
        backlog.flatMap(({ queue, waiting, running, dead }) =>
          Object.entries({ waiting, running, dead }).map(
            ([state, count]) => [count, { queue, state }] as const,
          ),
        ),
      ),
    },
    {
      name: 'jobs_oldest_waiting_seconds',
      help: 'Seconds by which the oldest waiting job is overdue',
      labels: ['queue'],
      samples: from(({ backlog }) => backlog.map(({ queue, oldestSeconds }) => [oldestSeconds, { queue }])),
    },
    {
      name: 'sync_age_seconds',
      help: 'Seconds since the last succeeded or partial catalogue sync',
      samples: from(({ syncAge }) => (syncAge === null ? [] : [[syncAge]])),
    },
    {
      name: 'sync_last_result',
      help: 'Result of the last catalogue sync',
      labels: ['result'],
      samples: from(lastSync),
    },
    {
      name: 'sync_workspaces_failed',
      help: 'Workspaces that failed in the last catalogue sync',
      samples: from(({ lastSync: last }) => (last === null ? [] : [[last.workspacesFailed]])),
    },
    {
      name: 'embed_revoked_residual_seconds',
      help: 'Longest remaining lifetime in seconds of an embed token of a disabled user or with a block',
      samples: from(({ residualSeconds }) => [[residualSeconds]]),
    },
    {
      name: 'groups',
      help: 'Groups by source',
      labels: ['source'],
      samples: from(({ groups }) => groups.groups.map(({ source, count }) => [count, { source }])),
    },
    {
      name: 'group_memberships',
      help: 'Direct memberships of users in groups; above 10,000 an estimate',
      samples: from(({ groups }) => [[groups.memberships]]),
    },
    {
      name: 'grants',
      help: 'Grants by target and holder, expired ones included; above 10,000 an estimate',
      labels: ['target', 'holder'],
      samples: from(({ grants }) => grants.map(({ count, ...labels }) => [count, labels])),
    },
    {
      name: 'webhook_backlog_age_seconds',
      help: 'Age of the oldest event that an active webhook has not delivered',
      samples: from(({ webhookAge }) => [[webhookAge]]),
    },
    {
      name: 'usage_rollup_lag_seconds',
      help: 'Age of the oldest view that is not part of the usage figures',
      samples: from(({ usageLag }) => [[usageLag]]),
    },
  ];
};
