import type { Content } from '../content/content.js';
import { generatedContent } from '../content/generated.js';
import { seededContent, type LooseSeed } from '../content/seeded.js';
import { Refusal } from '../core/refusal.js';

interface Size {
  workspaces: number;
  reports_per_workspace: number;
}

/** The content that a size or a seed document describes. Throws Refusal. */
export function contentFrom(value: unknown): Content {
  if (isSize(value)) return generatedContent(value);
  if (isSeed(value)) {
    return seededContent(value);
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
  return Array.isArray((value as Partial<LooseSeed> | undefined)?.workspaces);
}
