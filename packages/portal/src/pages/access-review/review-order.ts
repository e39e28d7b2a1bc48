import { formatLocale } from '../../i18n/format.js';
import type { ReviewRow } from './review-row.js';

const roles = ['viewer', 'editor', 'manager', 'admin'];

const resourceOf = ({ resource: { type, name, workspace_name } }: ReviewRow): string =>
  type === 'report' ? `${workspace_name} ${name}` : (workspace_name ?? '');

/** The value of each column. */
const columns: Record<string, (row: ReviewRow) => string | number> = {
  user: ({ user }) => user.name,
  resource: resourceOf,
  role: ({ role }) => roles.indexOf(role),
  granted_by: ({ granted_by }) => granted_by?.name ?? '',
  // After every time.
  expires_at: ({ expires_at }) => expires_at ?? '\uFFFF',
  // Never opened is longest ago.
  last_token_at: ({ last_token_at }) => last_token_at ?? '',
};

/** Sorted by a column of the table, in reverse with a leading `-`. */
export function sorted(rows: readonly ReviewRow[], sort: string): ReviewRow[] {
  const column = columns[sort.replace(/^-/, '')] ?? resourceOf;
  const sign = sort.startsWith('-') ? -1 : 1;
  const { compare } = new Intl.Collator(formatLocale(), { numeric: true });
  const compared = (a: ReviewRow, b: ReviewRow): number => {
    const [left, right] = [column(a), column(b)];
    return typeof left === 'number' ? left - Number(right) : compare(left, String(right));
  };
  return rows.toSorted((a, b) => sign * compared(a, b));
}

/** Without case and accents. */
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();

/** Rows in which each word of the term is part of a name, the address or a group. */
export function matching(rows: readonly ReviewRow[], term: string): ReviewRow[] {
  const words = folded(term).split(/\s+/).filter(Boolean);
  return rows.filter(({ user, resource, path, granted_by }) => {
    const texts = [user.name, user.email, resource.name, resource.workspace_name, ...path, granted_by?.name];
    const text = folded(texts.filter(Boolean).join('\n'));
    return words.every((word) => text.includes(word));
  });
}
