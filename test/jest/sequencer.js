import { createRequire } from 'node:module';
import { relative } from 'node:path';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** Seconds of the longest files, for a first run; only their order matters. `npm test` prints new ones. */
const typical = {
  'test/access/oracle.e2e-spec.ts': 120,
  'test/routes.e2e-spec.ts': 110,
  'test/cli/people.e2e-spec.ts': 100,
  'test/webhooks/replicas.e2e-spec.ts': 90,
  'test/life-cycle/stop.e2e-spec.ts': 85,
  'test/docs/commands.e2e-spec.ts': 80,
  'test/local/demo-data.e2e-spec.ts': 75,
  'test/local/folder.e2e-spec.ts': 70,
  'test/cli/doctor.e2e-spec.ts': 65,
  'test/cli/groups.e2e-spec.ts': 60,
  'test/embedding/parallel.e2e-spec.ts': 45,
  'test/embedding/life.e2e-spec.ts': 40,
  'test/webhooks/delivery.e2e-spec.ts': 40,
  'test/search.e2e-spec.ts': 40,
  'test/tracing/traces.e2e-spec.ts': 35,
  'test/architecture.spec.ts': 30,
  'test/postman.e2e-spec.ts': 30,
};

/** Long files begin first, so that no worker is idle at the end. A duration is that of the last run on this machine. */
export default class LongFilesFirst extends Sequencer {
  sort(tests) {
    const secondsOf = ({ path, duration, context }) =>
      duration === undefined ? (typical[relative(context.config.rootDir, path)] ?? 0) : duration / 1000;
    // By size, and with their durations.
    super.sort(tests);
    return tests.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}
