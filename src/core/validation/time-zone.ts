import { isTimeZone as isIanaZone } from 'class-validator';

/** Zones with an offset in their name, such as `+01:00`, have the opposite sign in PostgreSQL. */
const zoneName = /^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/;

/** Whether this is the name of an IANA time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: unknown): name is string {
  return typeof name === 'string' && zoneName.test(name) && isIanaZone(name);
}
