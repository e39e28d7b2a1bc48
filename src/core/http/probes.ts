import type { IncomingMessage } from 'node:http';

const probes = new Set(['/livez', '/readyz']);

/** Orchestrator probes: never rejected under load, never counted (concurrency limit, metrics), never logged. */
export const isProbe = (request: IncomingMessage): boolean => probes.has(pathOf(request));

export const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';
