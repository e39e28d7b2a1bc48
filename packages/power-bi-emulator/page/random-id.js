/** `crypto.randomUUID` exists in secure contexts only, which a page framed over plain http is not. */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
