import type { Content } from '../content/content.js';
import { generatedContent } from '../content/generated.js';
import { seededContent, type LooseSeed } from '../content/seeded.js';
import { isObject } from '../core/is-object.js';
import { Refusal } from '../core/refusal.js';

interface Size {
  workspaces: number;
  reports_per_workspace: number;
}

/** The content that a size or a seed document describes. Throws Refusal. */
export function contentFrom(value: unknown): Content {
  if (isSize(value)) return generatedContent(value);
  if (isSeed(value)) {
    return seededContent(structuredClone(value));
  }
  throw new Refusal(
    'content must be {workspaces: n, reports_per_workspace: m} or a seed with a list of workspaces',
  );
}

function isSize(value: unknown): value is Size {
  const { workspaces, reports_per_workspace: reports } = (value ?? {}) as Partial<Size>;
  return Number.isInteger(workspaces) && Number.isInteger(reports) && workspaces! >= 0 && reports! >= 0;
}

function isSeed(value: unknown): value is LooseSeed {
  const { workspaces, principals, capacities, profiles, apps, activities } = (value ??
    {}) as Partial<LooseSeed>;
  const optional = [principals, capacities, profiles, apps, activities];
  return isListOfObjects(workspaces) && workspaces.every(isWorkspace) && optional.every(isOptionalList);
}

const isListOfObjects = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.every(isObject);

const isOptionalList = (value: unknown): boolean => value === undefined || isListOfObjects(value);

const isWorkspace = ({ reports, datasets, dashboards, members }: Record<string, unknown>): boolean =>
  [reports, datasets, dashboards, members].every(isOptionalList);
