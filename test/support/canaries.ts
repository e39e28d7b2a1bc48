import { Client } from 'pg';

/** Any signed token: of Entra, an identity provider or the service. */
export const signedToken = /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\./;

type Artefacts = Record<string, string | readonly Buffer[]>;

const withoutPadding = (text: string): string => text.replace(/=+$/, '');

/** Base64 of a text shows differently at each of three offsets; what these have in common finds it at any of them. */
const base64Cores = (secret: Buffer): string[] =>
  [0, 1, 2].map((offset) => {
    const encoded = withoutPadding(Buffer.concat([Buffer.alloc(offset), secret]).toString('base64'));
    return encoded.slice(offset === 0 ? 0 : offset + 1, -1);
  });

/** The encodings of a secret that are searched for. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const cores = base64Cores(bytes);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    ...cores,
    ...cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** Searches logs, databases and emails for known secrets. */
export class Canaries {
  private readonly secrets = new Map<string, string>();

  /** Registers a secret and returns it. A short one could be found by chance. */
  plant(name: string, secret: string): string {
    if (secret.length < 12) throw new Error(`The canary "${name}" is too short to tell`);
    this.secrets.set(name, secret);
    return secret;
  }

  /** Names of the secrets with the artefacts that contain them. */
  foundIn(artefacts: Artefacts): string[] {
    const texts = Object.entries(artefacts).map(
      ([place, content]) => [place, typeof content === 'string' ? content : textOf(content)] as const,
    );
    return [...this.secrets].flatMap(([name, secret]) => {
      const forms = formsOf(secret);
      return texts
        .filter(([, text]) => forms.some((form) => text.includes(form)))
        .map(([place]) => `${name} in ${place}`);
    });
  }
}

/** Mail, also with its soft line breaks and quoted characters undone. */
const textOf = (mails: readonly Buffer[]): string =>
  mails
    .map((mail) => {
      const raw = mail.toString();
      const unfolded = raw.replaceAll(/=\r?\n/g, '');
      const decoded = unfolded.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      return `${raw}\n${decoded}`;
    })
    .join('\n');

/** Every row of every table, the job queue included, as text; binary columns as hex. */
export async function dumpOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const lines: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ line: string }>(`SELECT t::text AS line FROM ${name} t`);
      lines.push(...rows.map(({ line }) => `${name} ${line}`));
    }
    return lines.join('\n');
  } finally {
    await client.end();
  }
}
