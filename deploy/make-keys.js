// Prints fresh keys and passwords in the form of a .env file: node deploy/make-keys.js > .env
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';

const random = (bytes) => randomBytes(bytes).toString('base64url');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };

console.log(`POSTGRES_PASSWORD=${random(24)}
POSTGRES_APP_PASSWORD=${random(24)}
SECRET_KEY=${random(32)}
JWT_KEYS='${JSON.stringify({ keys: [key] })}'
ADMIN_EMAIL=admin@vitrine.example
ADMIN_PASSWORD=${random(18)}`);
