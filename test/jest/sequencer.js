import { createRequire } from 'node:module';
import { relative } from 'node:path';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** Seconds of the longest files, for a first run; only their order matters. `npm test` prints new ones. */
const typical = {
  'test/running-role.e2e-spec.ts': 30,
  'test/start.e2e-spec.ts': 30,
  'test/access/oracle.e2e-spec.ts': 25,
  'test/events/stream.e2e-spec.ts': 25,
  'test/webhooks/delivery.e2e-spec.ts': 25,
  'test/routes.e2e-spec.ts': 25,
  'test/access-requests.e2e-spec.ts': 20,
  'test/embedding/life.e2e-spec.ts': 20,
  'test/local/start.e2e-spec.ts': 20,
  'test/groups/nesting.e2e-spec.ts': 20,
  'test/postman.e2e-spec.ts': 19,
  'test/exports/identity.e2e-spec.ts': 15,
  'test/exports/life.e2e-spec.ts': 15,
  'test/exports/requests.e2e-spec.ts': 15,
  'test/access-changes.e2e-spec.ts': 15,
  'test/cli/events.e2e-spec.ts': 15,
  'test/cli/output.e2e-spec.ts': 15,
  'test/cli/people.e2e-spec.ts': 15,
  'test/identity/keys.e2e-spec.ts': 13,
  'test/catalogue/bounds.e2e-spec.ts': 13,
  'test/usage/privacy.e2e-spec.ts': 13,
  'test/cli/doctor-database.e2e-spec.ts': 12,
  'test/usage/api.e2e-spec.ts': 12,
  'test/portal/settings.e2e-spec.ts': 12,
  'test/groups/model.e2e-spec.ts': 12,
  'test/catalogue/presence.e2e-spec.ts': 12,
  'test/webhooks/ssrf.e2e-spec.ts': 11,
  'test/accounts/personal-export.e2e-spec.ts': 10,
  'test/cli/use.e2e-spec.ts': 10,
  'test/cli/doctor.e2e-spec.ts': 10,
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
