import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Ways to use the chart, by the name of the file that each renders to. */
export const renderings = {
  least: {
    existingSecret: 'vitrine',
    migration: { existingSecret: 'vitrine-owner' },
    settings: { PUBLIC_URL: 'https://reports.example.com' },
  },
  everything: {
    existingSecret: 'vitrine',
    migration: {
      existingSecret: 'vitrine-owner',
      role: 'reports_app',
      env: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/vitrine/secrets/ca.pem' }],
      secretFiles: 'vitrine-database-ca',
    },
    settings: {
      PUBLIC_URL: 'https://reports.example.com',
      TRUST_PROXY: '10.0.0.0/8',
      DATABASE_POOL: 8,
      INSECURE_DATABASE: true,
      SHUTDOWN_FORCED_SECONDS: 40,
      POWERBI_CERTIFICATE_FILE: '/etc/vitrine/secrets/power-bi.pem',
    },
    secretFiles: 'vitrine-files',
    env: [{ name: 'LOG_LEVEL', value: 'debug' }],
    envFrom: [{ secretRef: { name: 'vitrine-sign-in' } }],
    image: { repository: 'registry.example.com/vitrine', digest: `sha256:${'0'.repeat(64)}` },
    imagePullSecrets: [{ name: 'registry' }],
    autoscaling: { enabled: false },
    replicas: 3,
    ingress: { enabled: true, className: 'nginx', tlsSecret: 'reports-tls', annotations: { a: 'b' } },
    metrics: { serviceMonitor: true },
    networkPolicy: {
      from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
      metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
    },
    podAnnotations: { team: 'reports' },
    labels: { 'cost-center': '4711' },
    podLabels: { 'sidecar.istio.io/inject': 'false' },
    serviceAccountName: 'vitrine',
    volumes: [{ name: 'fonts', configMap: { name: 'fonts' } }],
    volumeMounts: [{ name: 'fonts', mountPath: '/usr/share/fonts/own', readOnly: true }],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['reports'] }] }],
        },
      },
    },
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ key: 'reports', operator: 'Exists' }],
  },
};

/** Of every file of the chart, and of the renderings: what was rendered of something else is old. */
export function chartDigest() {
  const folder = fileURLToPath(new URL('chart/vitrine/', import.meta.url));
  const hash = createHash('sha256').update(JSON.stringify(renderings));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (statSync(folder + name).isFile()) hash.update(`${name}\n`).update(readFileSync(folder + name));
  }
  return hash.digest('hex');
}
