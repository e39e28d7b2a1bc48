import { createPrivateKey, type JsonWebKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Access tokens signed with the service's own key, the first of the file. */
export function signerOf(jwtKeysFile: string): (claims: object) => string {
  const { keys } = JSON.parse(readFileSync(jwtKeysFile, 'utf8')) as {
    keys: (JsonWebKey & { kid: string })[];
  };
  const [first] = keys;
  if (first === undefined) throw new Error(`No key in ${jwtKeysFile}`);
  const key = createPrivateKey({ key: first, format: 'jwk' });
  const head = encoded({ alg: 'RS256', typ: 'at+jwt', kid: first.kid });
  return (claims) => {
    const said = `${head}.${encoded(claims)}`;
    return `${said}.${sign('RSA-SHA256', Buffer.from(said), key).toString('base64url')}`;
  };
}
