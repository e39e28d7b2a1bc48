// Makes the keys and passwords of docker-compose.yml, in .env and secrets/: node deploy/make-keys.js
// Overwrites nothing: with other passwords the database of an earlier start could not be opened.
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';

const random = (bytes) => randomBytes(bytes).toString('base64url');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
const owner = random(24);
const app = random(24);
// The container reads the files as the user that made them; never as root.
const root = process.getuid?.() === 0;
const [uid, gid] = root ? [10_001, 10_001] : [process.getuid?.() ?? 10_001, process.getgid?.() ?? 10_001];

const secrets = {
  'admin-password': random(18),
  'database-url': `postgres://vitrine_app:${app}@postgres:5432/vitrine`,
  'jwt-keys.json': JSON.stringify({ keys: [key] }),
  'secret-key': random(32),
};
const settings = `VITRINE_USER=${uid}:${gid}
VITRINE_ENV=deploy/demo.env
COMPOSE_PROFILES=demo
POSTGRES_PASSWORD=${owner}
POSTGRES_APP_PASSWORD=${app}
`;

const taken = ['.env', ...Object.keys(secrets).map((name) => `secrets/${name}`)].find((path) =>
  existsSync(path),
);
if (taken !== undefined) {
  console.error(
    `${taken} exists: remove .env and secrets/, and the volume of the database, to make new ones`,
  );
  process.exit(1);
}
mkdirSync('secrets', { recursive: true, mode: 0o700 });
chmodSync('secrets', 0o700);
for (const [name, text] of Object.entries(secrets)) {
  writeFileSync(`secrets/${name}`, `${text}\n`, { mode: 0o600 });
  if (root) chownSync(`secrets/${name}`, uid, gid);
}
if (root) chownSync('secrets', uid, gid);
writeFileSync('.env', settings, { mode: 0o600 });
console.log('Made .env and secrets/. The password of the first admin is in secrets/admin-password.');
