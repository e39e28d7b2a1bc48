import type { IncomingMessage } from 'node:http';

const probes = new Set(['/livez', '/readyz']);

/** Asked by whoever decides over the life of this replica: never turned away, never counted, never logged. */
export const isProbe = (request: IncomingMessage): boolean => probes.has(pathOf(request));

export const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';
