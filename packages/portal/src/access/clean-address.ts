const invisible = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;
const quotes = `"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb`;
const around = new RegExp(`^[<${quotes}]+|[>${quotes}]+$`, 'g');
/** Longer text is no address, and is not searched for these. */
const MAX_PASTED = 400;

/** The same as `cleanAddress` of the service: an address as it is pasted, without what mail programs and documents put around it. */
export function cleanAddress(text: string): string {
  if (text.length > MAX_PASTED) return text;
  const plain = text.replaceAll(invisible, '').trim();
  const address = plain.replaceAll(around, '').replace(/^mailto:([^?]*).*$/is, '$1');
  return address.trim().replace(/\.$/, '');
}

/** The form in which the service compares addresses: its domain in ASCII. */
export function comparedAddress(email: string): string {
  const text = email.normalize('NFKC').toLowerCase();
  const at = text.lastIndexOf('@');
  const url = `http://${text.slice(at + 1)}`;
  return URL.canParse(url) ? `${text.slice(0, at)}@${new URL(url).hostname}` : text;
}
