import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeCertificate, pemOf } from './certificate.js';

/** The hosts of Microsoft that clients call. */
export const realNames = [
  'api.powerbi.com',
  'app.powerbi.com',
  'login.microsoftonline.com',
  'login.windows.net',
];

const hosts = [...realNames, 'localhost', '127.0.0.1'];
const day = 86_400_000;
const authorityName = 'Power BI emulator CA';

interface Authority {
  certificate: string;
  key: KeyObject;
}

export interface RealNamesTls {
  /** PEM. */
  key: string;
  cert: string;
  caFile: string;
}

/** The folder of the authority cannot be read or written. */
export class UnusableFolder extends Error {}

/**
 * A server certificate for the real names, signed by the authority in the folder, which is created if needed. Throws
 * UnusableFolder.
 */
export async function certifyRealNames(folder: string): Promise<RealNamesTls> {
  const caFile = join(resolve(folder), 'ca.pem');
  const authority = await openAuthority(folder);
  const { privateKey, publicKey } = await newKeys();
  const certificate = makeCertificate({
    name: realNames[0]!,
    publicKey,
    issuer: { name: authorityName, key: authority.key },
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + 397 * day),
    hosts,
    isAuthority: false,
  });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, cert: pemOf(certificate) + authority.certificate, caFile };
}

async function openAuthority(folder: string): Promise<Authority> {
  try {
    return keptAuthority(folder) ?? (await newAuthority(folder));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnusableFolder(`${folder} cannot be used (${code ?? message})`, { cause: error });
  }
}

/** Clients that trust the authority keep trusting it after a restart. Undefined if it is missing, old or incomplete. */
function keptAuthority(folder: string): Authority | undefined {
  const [caFile, keyFile] = [join(folder, 'ca.pem'), join(folder, 'ca-key.pem')];
  if (!existsSync(caFile) || !existsSync(keyFile)) return undefined;
  const certificate = readFileSync(caFile, 'utf8');
  const key = createPrivateKey(readFileSync(keyFile, 'utf8'));
  const parsed = new X509Certificate(certificate);
  const lasts = Date.parse(parsed.validTo) > Date.now() + 30 * day;
  return lasts && parsed.publicKey.equals(createPublicKey(key)) ? { certificate, key } : undefined;
}

async function newAuthority(folder: string): Promise<Authority> {
  const { privateKey: key, publicKey } = await newKeys();
  const certificate = pemOf(
    makeCertificate({
      name: authorityName,
      publicKey,
      issuer: { name: authorityName, key },
      notBefore: new Date(Date.now() - day),
      notAfter: new Date(Date.now() + 3650 * day),
      hosts,
      isAuthority: true,
    }),
  );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pem = key.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(folder, 'ca-key.pem'), pem, { mode: 0o600 });
  writeFileSync(join(folder, 'ca.pem'), certificate);
  return { certificate, key };
}

const newKeys = () => promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
