/** The values that replace the placeholders of the documents. */
interface Reader {
  url: string;
  emulatorUrl: string;
  password: string;
  /** The data folder of a local start. */
  folder: string;
}

/** The whole of what the tests put in the place of what is written. */
export const asReadBy = ({ url, emulatorUrl, password, folder }: Reader, text: string): string =>
  text
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll('http://127.0.0.1:8090', emulatorUrl)
    .replaceAll('<admin password>', password)
    .replaceAll(/(?<![\w/])\.data\//g, `${folder}/`);
