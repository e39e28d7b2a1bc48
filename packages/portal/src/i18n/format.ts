import i18next from 'i18next';

let timeZone: string | undefined;
/** Kept, because every page asks for it several times, and the browser takes milliseconds to find it. */
let browserTimeZone: string | undefined;

/** Of the person's account; undefined is the browser's. */
export function setTimeZone(zone: string | null): void {
  timeZone = zone ?? undefined;
}

/** The time zone that times are shown in, e.g. `Europe/Berlin`. */
export const currentTimeZone = (): string =>
  timeZone ?? (browserTimeZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone);

/** The browser's region where it has the portal's language: `en-GB` for `en`. */
export function formatLocale(): string {
  const { language } = i18next;
  const base = language === 'en-XA' ? 'en' : language;
  return navigator.languages.find((tag) => tag.split('-')[0] === base) ?? base;
}

const cache = new Map<string, unknown>();
function cached<Format>(kind: string, create: (locale: string) => Format): Format {
  const locale = formatLocale();
  const key = `${kind} ${locale} ${timeZone ?? ''}`;
  if (!cache.has(key)) cache.set(key, create(locale));
  return cache.get(key) as Format;
}

const dates =
  (kind: string, options: Intl.DateTimeFormatOptions) =>
  (instant: string | number | Date): string =>
    cached(kind, (locale) => new Intl.DateTimeFormat(locale, { timeZone, ...options })).format(
      new Date(instant),
    );

/** The day of an instant in a time zone, `2026-11-23`: Swedish dates have this form. */
export const dayIn = (zone: string, instant: string | number): string =>
  cached(`day in ${zone}`, () => new Intl.DateTimeFormat('sv', { timeZone: zone })).format(new Date(instant));

/** The day in the time zone that times are shown in. */
export const calendarDay = (instant: string | number): string => dayIn(currentTimeZone(), instant);

export const isSameDay = (one: string | number, other: string | number): boolean =>
  calendarDay(one) === calendarDay(other);

export const formatDate = dates('date', { dateStyle: 'medium' });
/** A calendar day, `2026-11-23`, that belongs to no time zone. */
export const formatDay = dates('day', { dateStyle: 'medium', timeZone: 'UTC' });
export const formatTime = dates('time', { timeStyle: 'short' });
/** `11:42:07 AM`, for times today. */
export const formatClock = dates('clock', { timeStyle: 'medium' });
export const formatDateTime = dates('date-time', { dateStyle: 'medium', timeStyle: 'short' });
/** Without the year: for the last months. */
export const formatRecent = dates('recent', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
/** With the time zone: for tooltips and other places that must be exact. */
export const formatExact = dates('exact', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

export const formatNumber = (value: number): string =>
  cached('number', (locale) => new Intl.NumberFormat(locale)).format(value);

/** `0.25` → `25%`. */
export const formatPercent = (share: number): string =>
  cached(
    'percent',
    (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
  ).format(share);

/** `0.12` → `+12%`. */
export const formatSignedPercent = (share: number): string =>
  cached(
    'signed-percent',
    (locale) =>
      new Intl.NumberFormat(locale, {
        style: 'percent',
        maximumFractionDigits: 0,
        signDisplay: 'exceptZero',
      }),
  ).format(share);

/** With one decimal. */
export const formatDecimal = (value: number): string =>
  cached(
    'decimal',
    (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  ).format(value);

/** `-3`, `hour` → `3 hours ago`. */
export const formatRelative = (amount: number, unit: Intl.RelativeTimeFormatUnit): string =>
  cached('relative', (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })).format(
    amount,
    unit,
  );

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** `950 byte`, `12.3 MB`. */
export function formatBytes(bytes: number): string {
  const step = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const unit = byteUnits[step] ?? 'byte';
  return cached(
    `bytes ${unit}`,
    (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }),
  ).format(bytes / 1000 ** step);
}
