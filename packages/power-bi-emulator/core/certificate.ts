import { createHash, createPublicKey, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { bits, der, integer, octets, oid, sequence, set, text, time, yes, type Der } from './der.js';

export interface CertificateOrder {
  /** Common name. */
  name: string;
  publicKey: KeyObject;
  /** Signs the certificate: its own key, or that of an authority. */
  issuer: { name: string; key: KeyObject };
  notBefore: Date;
  notAfter: Date;
  /** Host names and IPv4 addresses: of a server, or the only ones that an authority may sign for. */
  hosts: string[];
  isAuthority: boolean;
}

/** Signature algorithms: SHA-256 with each type of key. */
const algorithms = {
  rsa: sequence(oid('1.2.840.113549.1.1.11'), der(0x05)),
  ec: sequence(oid('1.2.840.10045.4.3.2')),
};

/** An X.509 v3 certificate, as DER. Keys are RSA or P-256. */
export function makeCertificate(order: CertificateOrder): Buffer {
  const { publicKey, issuer } = order;
  const algorithm = algorithms[issuer.key.asymmetricKeyType === 'ec' ? 'ec' : 'rsa'];
  const signed = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.from([0x40, ...randomBytes(15)])),
    algorithm,
    nameOf(issuer.name),
    sequence(time(order.notBefore), time(order.notAfter)),
    nameOf(order.name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions(order))),
  );
  return sequence(signed, algorithm, bits(sign('sha256', signed, issuer.key)));
}

function extensions({ hosts, isAuthority, publicKey, issuer }: CertificateOrder): Der[] {
  const keyId = extension('2.5.29.14', octets(keyIdOf(publicKey)));
  // The first tag of an identifier in AuthorityKeyIdentifier is [0].
  const issuerId = extension('2.5.29.35', sequence(der(0x80, keyIdOf(createPublicKey(issuer.key)))));
  if (isAuthority) {
    const certSignAndCrlSign = bits(Buffer.from([0x06]), 1);
    return [
      critical('2.5.29.19', sequence(yes)),
      critical('2.5.29.15', certSignAndCrlSign),
      ...(hosts.length > 0 ? [critical('2.5.29.30', sequence(permitted(hosts)))] : []),
      keyId,
    ];
  }
  const digitalSignatureAndKeyEncipherment = bits(Buffer.from([0xa0]), 5);
  const serverAuth = sequence(oid('1.3.6.1.5.5.7.3.1'));
  return [
    critical('2.5.29.19', sequence()),
    critical('2.5.29.15', digitalSignatureAndKeyEncipherment),
    extension('2.5.29.37', serverAuth),
    extension('2.5.29.17', sequence(...hosts.map(hostOf))),
    keyId,
    issuerId,
  ];
}

const extension = (id: string, value: Der): Der => sequence(oid(id), octets(value));
const critical = (id: string, value: Der): Der => sequence(oid(id), yes, octets(value));
const nameOf = (name: string): Der => sequence(set(sequence(oid('2.5.4.3'), text(name))));

/** Name constraints: whoever gets the authority's key cannot imitate other hosts. */
function permitted(hosts: string[]): Der {
  const oneAddress = (host: string) =>
    der(0x87, Buffer.from([...host.split('.').map(Number), 255, 255, 255, 255]));
  return der(0xa0, ...hosts.map((host) => sequence(isIPv4(host) ? oneAddress(host) : hostOf(host))));
}

function hostOf(host: string): Der {
  return isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
}

function keyIdOf(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

export function pemOf(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** SHA-1 of a certificate, as `x5t` and `kid` contain it. */
export function thumbprintOf(certificate: Buffer): string {
  return createHash('sha1').update(certificate).digest('base64url');
}
