/** The day of an instant where the reader is, as a date field writes it; '' for none. */
export function dayOf(instant: string | null | undefined): string {
  if (instant === null || instant === undefined) return '';
  const date = new Date(instant);
  const part = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/** The last second of that day where the reader is; undefined for ''. */
export const endOf = (day: string): string | undefined =>
  day === '' ? undefined : new Date(`${day}T23:59:59`).toISOString();

/** An end that nobody touched stays what it was, to the second. */
export const endAfter = (day: string, before: string | null | undefined): string | undefined =>
  day !== '' && day === dayOf(before) ? (before ?? undefined) : endOf(day);
