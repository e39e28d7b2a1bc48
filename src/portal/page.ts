/** What is answered to somebody who opens an address in a browser. */
export interface Page {
  html: string;
  headers: Record<string, string>;
}
