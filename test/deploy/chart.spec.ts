import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parseAllDocuments, parse } from 'yaml';
import { settings } from '../../src/core/config/config.js';

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec: Record<string, unknown>;
}

interface PodSpec {
  terminationGracePeriodSeconds?: number;
  automountServiceAccountToken: boolean;
  securityContext: object;
  containers: Container[];
  volumes?: { name: string; secret?: { secretName: string } }[];
}

interface Container {
  command?: string[];
  image: string;
  securityContext: object;
  env: { name: string; value?: string }[];
  envFrom?: object[];
  volumeMounts?: { name: string; mountPath: string }[];
  startupProbe: { httpGet: object };
  livenessProbe: { httpGet: object };
  readinessProbe: { httpGet: object };
  resources: { requests: object; limits: object };
}

const names = ['least', 'everything'] as const;
const textOf = (name: string): string => readFileSync(`test/deploy/chart/${name}.yaml`, 'utf8');
const resourcesOf = (name: string): Resource[] =>
  parseAllDocuments(textOf(name)).map((document) => {
    if (document.errors.length > 0) throw document.errors[0] as Error;
    return document.toJS() as Resource;
  });
const kindOf = (name: string, kind: string): Resource => {
  const found = resourcesOf(name).find((resource) => resource.kind === kind);
  if (found === undefined) throw new Error(`No ${kind}`);
  return found;
};
const podOf = ({ spec }: Resource): PodSpec => (spec.template as { spec: PodSpec }).spec;

/** Kubernetes' own schemas; throws what does not fit. */
async function validate(resource: Resource): Promise<void> {
  const { apiVersion, kind } = resource;
  const models = apiVersion.startsWith('monitoring.')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  const { [kind]: Model } = (await import(`${models}/${apiVersion}/${kind}`)) as Record<
    string,
    new (data: object) => { validate: () => void }
  >;
  if (Model === undefined) throw new Error(`No schema of ${kind}`);
  new Model(resource).validate();
}

describe('the Helm chart', () => {
  test.each(names)('%s: the rendered file is the output of Helm for the current chart', async (name) => {
    const { chartDigest } = (await import(join(import.meta.dirname, '../../deploy/chart-digest.js'))) as {
      chartDigest: () => string;
    };
    expect(textOf(name).split('\n')[0]).toBe(`# chart: ${chartDigest()}`);
  });

  test.each(names)('%s: every resource conforms to the Kubernetes schema', async (name) => {
    const resources = resourcesOf(name);
    expect(resources.length).toBeGreaterThan(5);
    for (const resource of resources) await validate(resource);
    const deployment = structuredClone(kindOf(name, 'Deployment'));
    podOf(deployment).terminationGracePeriodSeconds = 'half a minute' as unknown as number;
    await expect(validate(deployment)).rejects.toThrow('terminationGracePeriodSeconds');
  });

  test('renders the expected kinds of resources', () => {
    const kinds = (name: string) => resourcesOf(name).map(({ kind }) => kind);
    const always = ['ConfigMap', 'Deployment', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'];
    expect(kinds('least').toSorted()).toEqual([...always, 'HorizontalPodAutoscaler'].toSorted());
    expect(kinds('everything').toSorted()).toEqual([...always, 'Ingress', 'ServiceMonitor'].toSorted());
  });

  test.each(names)('SUP-05 %s: containers run without unneeded privileges', (name) => {
    for (const kind of ['Deployment', 'Job']) {
      const pod = podOf(kindOf(name, kind));
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10_001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toMatchObject({ requests: {}, limits: { memory: expect.any(String) } });
      }
    }
  });

  test('probes use the right paths, and replicas have enough time to stop', () => {
    const pod = podOf(kindOf('least', 'Deployment'));
    expect(pod.terminationGracePeriodSeconds).toBe(30);
    const [container] = pod.containers as [Container];
    expect(container.startupProbe.httpGet).toMatchObject({ path: '/livez' });
    expect(container.livenessProbe.httpGet).toMatchObject({ path: '/livez' });
    expect(container.readinessProbe.httpGet).toMatchObject({ path: '/readyz' });
    // It sets SHUTDOWN_FORCED_SECONDS to 40.
    expect(podOf(kindOf('everything', 'Deployment')).terminationGracePeriodSeconds).toBe(45);
    expect(kindOf('least', 'Deployment').spec.replicas).toBeUndefined();
    expect(kindOf('everything', 'Deployment').spec.replicas).toBe(3);
    expect(podOf(kindOf('everything', 'Deployment')).containers[0]?.image).toMatch(/@sha256:0{64}$/);
  });

  test("its default replicas leave 30 % of PostgreSQL's 100 connections, also during a rollout", () => {
    const { maxReplicas } = kindOf('least', 'HorizontalPodAutoscaler').spec as { maxReplicas: number };
    const { strategy } = kindOf('least', 'Deployment').spec as {
      strategy: { rollingUpdate: { maxSurge: number } };
    };
    const pool = Number(settings().find(({ name }) => name === 'DATABASE_POOL')?.fallback);
    const replicas = maxReplicas + strategy.rollingUpdate.maxSurge;
    expect(replicas * (pool + 4)).toBeLessThanOrEqual(70);
  });

  test('CFG-06 only the migration job, which runs first, has the owner role of the database', () => {
    const job = kindOf('least', 'Job');
    expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const [migrate] = podOf(job).containers as [Container];
    expect(migrate.command).toEqual(['node', 'dist/src/cli/vitrine.js', 'migrate', '--role', 'vitrine_app']);
    const owner = { secretKeyRef: { name: 'vitrine-owner', key: 'DATABASE_MIGRATION_URL' } };
    expect(migrate.env).toEqual([{ name: 'DATABASE_MIGRATION_URL', valueFrom: owner }]);
    const insecure = { name: 'INSECURE_DATABASE', value: 'true' };
    expect(podOf(kindOf('everything', 'Job')).containers[0]?.env).toContainEqual(insecure);
    expect(JSON.stringify(kindOf('least', 'Deployment'))).not.toContain('vitrine-owner');
    expect(podOf(kindOf('everything', 'Job')).containers[0]?.command?.at(-1)).toBe('reports_app');
    const [service] = podOf(kindOf('least', 'Deployment')).containers as [Container];
    expect(service.env).toContainEqual({ name: 'DATABASE_MIGRATION_URL', value: '' });
  });

  const isValid = new Ajv({ allowUnionTypes: true }).compile(
    JSON.parse(readFileSync('deploy/chart/vitrine/values.schema.json', 'utf8')),
  );
  const defaults = parse(readFileSync('deploy/chart/vitrine/values.yaml', 'utf8')) as {
    migration: object;
    ingress: object;
  };
  const usable = {
    ...defaults,
    existingSecret: 'vitrine',
    migration: { ...defaults.migration, existingSecret: 'vitrine-owner' },
    settings: { PUBLIC_URL: 'https://reports.example.com' },
  };

  test('CFG-06 requires the Secret of the owner role, unless migrations run elsewhere', () => {
    const values = (migration: object) => ({ ...usable, migration: { ...defaults.migration, ...migration } });
    expect(isValid(values({ existingSecret: 'vitrine-owner' }))).toBe(true);
    expect(isValid(values({}))).toBe(false);
    expect(isValid.errors).toContainEqual(
      expect.objectContaining({ instancePath: '/migration/existingSecret' }),
    );
    expect(isValid(values({ enabled: false }))).toBe(true);
  });

  test('every documented variable reaches the service through settings, or is set by the chart (D7)', () => {
    const own = ['HOST', 'PORT', 'JWT_KEYS_FILE', 'METRICS_PORT', 'METRICS_HOST', 'DATABASE_MIGRATION_URL'];
    const accepts = (name: string) =>
      isValid({ ...usable, settings: { ...usable.settings, [name]: 'value' } });
    const names = settings().map(({ name }) => name);
    expect(names.filter((name) => !accepts(name)).toSorted()).toEqual(own.toSorted());
    const { data } = kindOf('everything', 'ConfigMap');
    expect(data).toMatchObject({ TRUST_PROXY: '10.0.0.0/8', DATABASE_POOL: '8', METRICS_PORT: '9464' });
    const [service] = podOf(kindOf('everything', 'Deployment')).containers as [Container];
    expect(service.env).toContainEqual({ name: 'LOG_LEVEL', value: 'debug' });
    expect(service.envFrom).toContainEqual({ secretRef: { name: 'vitrine-sign-in' } });
  });

  test('accepts a number that Helm would render in scientific notation only as a string', () => {
    const accepts = (value: unknown) =>
      isValid({ ...usable, settings: { ...usable.settings, OIDC_CLIENT_ID: value } });
    for (const value of [999_999, '1000000', '0.5', true])
      expect([value, accepts(value)]).toEqual([value, true]);
    for (const value of [1_000_000, -1_000_000, 0.5]) expect([value, accepts(value)]).toEqual([value, false]);
  });

  test('mounts secret files, such as a certificate, at the paths that the settings name (D7)', () => {
    const mounted = (kind: string) => {
      const { containers, volumes = [] } = podOf(kindOf('everything', kind));
      const mount = containers[0]?.volumeMounts?.find(({ name }) => name === 'secret-files');
      return [mount?.mountPath, volumes.find(({ name }) => name === mount?.name)?.secret?.secretName];
    };
    expect(mounted('Deployment')).toEqual(['/etc/vitrine/secrets', 'vitrine-files']);
    expect(mounted('Job')).toEqual(['/etc/vitrine/secrets', 'vitrine-database-ca']);
    const { data } = kindOf('everything', 'ConfigMap');
    expect(data?.POWERBI_CERTIFICATE_FILE).toBe('/etc/vitrine/secrets/power-bi.pem');
    expect(textOf('least')).not.toContain('secret-files');
  });

  test('everything: pods have the own labels, service account, volumes and affinity; selectors do not change', () => {
    const { spec } = kindOf('everything', 'Deployment');
    const { metadata } = spec.template as { metadata: { labels: Record<string, string> } };
    expect(metadata.labels).toMatchObject({ 'cost-center': '4711', 'sidecar.istio.io/inject': 'false' });
    const selector = { 'app.kubernetes.io/name': 'vitrine', 'app.kubernetes.io/instance': 'prod' };
    expect(spec.selector).toEqual({ matchLabels: selector });
    for (const { metadata: of } of resourcesOf('everything'))
      expect(of.labels).toMatchObject({ 'cost-center': '4711' });
    const pod = podOf(kindOf('everything', 'Deployment'));
    expect(pod).toMatchObject({ serviceAccountName: 'vitrine', affinity: { nodeAffinity: {} } });
    expect(podOf(kindOf('everything', 'Job'))).toMatchObject({ serviceAccountName: 'vitrine' });
    expect(pod.volumes).toContainEqual({ name: 'fonts', configMap: { name: 'fonts' } });
    expect(pod.containers[0]?.volumeMounts).toContainEqual({
      name: 'fonts',
      mountPath: '/usr/share/fonts/own',
      readOnly: true,
    });
    for (const absent of ['serviceAccountName', 'affinity:']) expect(textOf('least')).not.toContain(absent);
  });

  test.each([
    ['labels', { 'app.kubernetes.io/name': 'other' }],
    ['podLabels', { 'app.kubernetes.io/instance': 'other' }],
    ['labels', { 'cost-center': 4711 }],
    ['serviceAccountName', 'Not a name'],
    ['affinity', { nodes: [] }],
    ['volumes', [{ name: 'keys', emptyDir: {} }]],
    ['volumes', [{ emptyDir: {} }]],
    ['volumeMounts', [{ name: 'fonts', mountPath: 'relative' }]],
  ])('refuses %s: %j', (name, value) => {
    expect(isValid({ ...usable, [name]: value })).toBe(false);
    expect(isValid.errors?.[0]?.instancePath).toMatch(new RegExp(`^/${name}`));
  });

  test('allows no ingress without TRUST_PROXY (D7)', () => {
    const ingress = { ...defaults.ingress, enabled: true };
    expect(isValid(usable)).toBe(true);
    expect(isValid({ ...usable, ingress })).toBe(false);
    expect(isValid.errors).toContainEqual(expect.objectContaining({ instancePath: '/settings' }));
    const trusted = { ...usable.settings, TRUST_PROXY: '10.0.0.0/8' };
    expect(isValid({ ...usable, ingress, settings: trusted })).toBe(true);
  });

  test('uses existing settings only', () => {
    const known = settings().map(({ name }) => name);
    const named = Object.keys(kindOf('everything', 'ConfigMap').data ?? {});
    expect(named).toContain('METRICS_PORT');
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('the documented upgrade sets the digest of the image, as the installation does', () => {
    const guide = readFileSync('docs/operations.md', 'utf8');
    const commands = guide.match(/^helm (install|upgrade .*--reset-then-reuse-values)(.*\\\n)*.*$/gm) ?? [];
    expect(commands.map((command) => command.includes('--set image.digest='))).toEqual([true, true]);
  });

  test('has the version of the service', () => {
    const { appVersion } = parse(readFileSync('deploy/chart/vitrine/Chart.yaml', 'utf8')) as {
      appVersion: string;
    };
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(appVersion).toBe(version);
  });
});
