import type { Environment } from './environment.js';

/** Export of reports to files. */
export function readExports(root: Environment) {
  const env = root.group('Export');
  return {
    hours: env.integer('EXPORT_HOURS', 'Retention of exported files, in hours', {
      min: 1,
      max: 24,
      fallback: 24,
    }),
    maxMegabytes: env.integer(
      'EXPORT_MAX_MB',
      'Size limit of an exported file, in megabytes; files are stored encrypted in the database',
      { min: 1, max: 250, fallback: 100 },
    ),
    perCapacity: env.integer(
      'EXPORT_PER_CAPACITY',
      'Exports that run at the same time on one Power BI capacity; others wait',
      { min: 1, max: 500, fallback: 5 },
    ),
  };
}
