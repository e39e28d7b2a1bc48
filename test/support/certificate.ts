import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import { cryptoProvider, PemConverter, X509CertificateGenerator } from '@peculiar/x509';

export interface TestCertificate {
  certificate: string;
  privateKey: string;
  /** Hexadecimal, as MSAL takes it. */
  thumbprintSha256: string;
}

/** A self-signed certificate with a new key, valid until the given time. */
export async function makeCertificate(
  notAfter = new Date(Date.now() + 86_400_000),
): Promise<TestCertificate> {
  cryptoProvider.set(webcrypto);
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const notBefore = new Date(Math.min(Date.now(), notAfter.getTime()) - 86_400_000);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Vitrine test',
    keys: keys as never,
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
  });
  const privateKey = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: certificate.toString('pem'),
    privateKey: PemConverter.encode(privateKey, 'PRIVATE KEY'),
    thumbprintSha256: createHash('sha256').update(Buffer.from(certificate.rawData)).digest('hex'),
  };
}
