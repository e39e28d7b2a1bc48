/** The day of an instant in the reader's time zone, as a date field writes it; '' for none. */
export function dayOf(instant: string | null | undefined): string {
  if (instant === null || instant === undefined) return '';
  const date = new Date(instant);
  const part = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/** The last second of that day in the reader's time zone; undefined for ''. */
export const expiryOf = (day: string): string | undefined =>
  day === '' ? undefined : new Date(`${day}T23:59:59`).toISOString();

/** An expiry whose day is unchanged keeps its time. */
export const changedExpiry = (day: string, before: string | null | undefined): string | undefined =>
  day !== '' && day === dayOf(before) ? (before ?? undefined) : expiryOf(day);
