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
      name: 'database_told',
      help: 'Whether the database answered the metrics in time',
      samples: async () => [[Number((await find()) !== undefined)]],
    },
    {
      name: 'jobs',
      help: 'Background jobs by queue and state; dead: given up',
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
      help: 'Seconds by which the oldest waiting job is late',
      labels: ['queue'],
      samples: from(({ backlog }) => backlog.map(({ queue, oldestSeconds }) => [oldestSeconds, { queue }])),
    },
    {
      name: 'sync_age_seconds',
      help: 'Seconds since a catalogue sync last brought something in',
      samples: from(({ syncAge }) => (syncAge === null ? [] : [[syncAge]])),
    },
    {
      name: 'sync_last_result',
      help: 'How the last catalogue sync ended',
      labels: ['result'],
      samples: from(lastSync),
    },
    {
      name: 'sync_workspaces_failed',
      help: 'Workspaces that the last catalogue sync could not read',
      samples: from(({ lastSync: last }) => (last === null ? [] : [[last.workspacesFailed]])),
    },
    {
      name: 'embed_revoked_residual_seconds',
      help: 'Seconds for which an embed token lives on whose owner was shut out',
      samples: from(({ residualSeconds }) => [[residualSeconds]]),
    },
  ];
};
