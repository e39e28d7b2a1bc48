// What the image holds, as a CycloneDX document: node deploy/sbom.js > sbom.json
// Exits with 1 and names the package when a license does not permit redistribution.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { productionPackages } from './production-packages.js';

const allowed = new Set(
  'MIT MIT-0 ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD BlueOak-1.0.0 CC0-1.0 Unlicense Python-2.0 Zlib'.split(
    ' ',
  ),
);

/** Licences that stand elsewhere than in the lockfile. */
const knownLicenses = {
  'busboy@1.6.0': 'MIT',
  'passport-strategy@1.0.0': 'MIT',
  'pause@0.0.1': 'MIT',
  'streamsearch@1.1.0': 'MIT',
};

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => JSON.parse(readFileSync(root + path, 'utf8'));
const { name, version } = read('package.json');
const { packages } = read('package-lock.json');

/** Development packages that the build puts into the portal's files travel in the image all the same. */
function bundled() {
  const found = new Set();
  const add = (each) => {
    const entry = packages[`node_modules/${each}`];
    if (entry === undefined || entry.link || found.has(each)) return;
    found.add(each);
    for (const next of Object.keys(entry.dependencies ?? {})) add(next);
  };
  // Not globSync, which Node 20 does not have.
  for (const file of readdirSync(`${root}packages/portal/src`, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.includes('.spec.')) continue;
    const text = readFileSync(`${root}packages/portal/src/${file}`, 'utf8');
    for (const [, each] of text.matchAll(/from '((?:@[\w-]+\/)?[\w-][\w.-]*)/g)) add(each);
  }
  return [...found];
}

/** As the lockfile has it: `npm sbom --omit dev` leaves out what a development package needs too, Express among it. */
function componentOf(path) {
  const each = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const { version: of, license, integrity } = packages[path];
  const ref = `${each}@${of}`;
  const licence = license ?? knownLicenses[ref];
  return {
    'bom-ref': ref,
    type: 'library',
    name: each,
    version: of,
    scope: 'required',
    purl: `pkg:npm/${ref.replace(/^@/, '%40')}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.split('-')[1], 'base64').toString('hex') }],
    licenses:
      licence === undefined
        ? []
        : [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }],
  };
}

/** `(MIT OR CC0-1.0)`: one of them is enough; of `A AND B` both are needed. */
const isAllowed = (expression) =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => allowed.has(each.trim())));

const running = productionPackages(packages);
const paths = [...running, ...bundled().map((each) => `node_modules/${each}`)];
const components = [...new Map(paths.map(componentOf).map((each) => [each['bom-ref'], each])).values()];
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: `urn:uuid:${randomUUID()}`,
  version: 1,
  metadata: {
    timestamp: new Date().toISOString(),
    component: { 'bom-ref': `${name}@${version}`, type: 'application', name, version },
  },
  components,
};
console.log(JSON.stringify(bom, null, 2));

for (const { 'bom-ref': ref, licenses } of components) {
  const licence = licenses[0]?.expression ?? licenses[0]?.license.id;
  if (licence !== undefined && isAllowed(licence)) continue;
  console.error(`${ref}: ${licence ?? 'no licence'}`);
  process.exitCode = 1;
}
