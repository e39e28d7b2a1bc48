/** The stored link of what was entered: an email address or a link; null for nothing. */
export function contactUrlOf(entered: string): string | null {
  const text = entered.trim();
  if (text === '') return null;
  return /^(https?|mailto):/i.test(text) ? text : `mailto:${text}`;
}

const EMAIL = /^mailto:/i;

/** As it is entered: an email address without `mailto:`. */
export const contactTextOf = (url: string | null): string => (url ?? '').replace(EMAIL, '');

/** The address, or the host of a link. */
export const contactNameOf = (url: string): string =>
  EMAIL.test(url) ? (contactTextOf(url).split('?')[0] ?? '') : new URL(url).host;

/** A link to ask about a report; an email names it in its subject. */
export const contactLinkOf = (url: string, report: string): string =>
  EMAIL.test(url) && !url.includes('?') ? `${url}?subject=${encodeURIComponent(report)}` : url;
