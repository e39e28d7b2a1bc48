import type { Capacity } from '../content/model.js';

type Json = Record<string, unknown>;

export function capacityView(capacity: Capacity): Json {
  const { id, displayName, sku, state, region, admins = [], capacityUserAccessRight = 'Assign' } = capacity;
  return { id, displayName, admins, sku, state, capacityUserAccessRight, region };
}
