import { personalDataRegistry } from '../accounts/personal-data.js';
import type { PersonalData } from '../core/database/personal-data.js';
import { table } from './markdown.js';

const exported = ({ export: given }: PersonalData): string =>
  'section' in given ? `\`${given.section}\`` : `nothing: ${given.omits}`;

const erased = ({ erasure }: PersonalData): string =>
  'does' in erasure ? { delete: 'deleted', anonymize: 'anonymized' }[erasure.does] : `kept: ${erasure.keeps}`;

const rows = personalDataRegistry
  .map((data) => [
    `\`${data.table}\``,
    data.columns.map((column) => `\`${column}\``).join(', '),
    data.holds,
    exported(data),
    erased(data),
  ])
  .toSorted(([a = ''], [b = '']) => a.localeCompare(b));

/** The columns in `docs/personal-data.md`. */
export const personalDataReference = (): string =>
  table(['table', 'columns', 'what they hold', 'export', 'erasure'], rows);
