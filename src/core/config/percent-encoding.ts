export function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The text itself if it is malformed, such as a password with a bare `%`: the rules report it with the variable's name. */
export const decoded = (text: string): string => (isPercentEncoded(text) ? decodeURIComponent(text) : text);
