/** A page that is returned to a browser. */
export interface Page {
  html: string;
  headers: Record<string, string>;
}
