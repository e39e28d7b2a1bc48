import type { Request } from 'express';

const probes = new Set(['/livez', '/readyz']);

/** Asked by whoever decides over the life of this replica: never turned away, never counted, never logged. */
export const isProbe = ({ path }: Request): boolean => probes.has(path);
