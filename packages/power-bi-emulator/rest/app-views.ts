import type { App } from '../content/model.js';

export function appView({ id, name, description, publishedBy, lastUpdate }: App): Record<string, unknown> {
  return { id, ...(description && { description }), name, publishedBy, lastUpdate };
}
