import { hash } from '@node-rs/argon2';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { until } from '../../support/until.js';
import { rolesOf } from '../../../local/demo.js';
import type { Cluster } from '../parts/cluster.js';

export interface Session {
  sid: string;
  access: string;
  refresh: string;
  /** Used refresh tokens, the latest last. */
  previousTokens: string[];
}

export interface Person {
  id: string;
  email: string;
  password: string;
  isAdmin: boolean;
  /** The client address. */
  address: string;
  /** Workspaces with a permanent grant. */
  workspaces: string[];
  session: Session | null;
  /** An operation that changes the session is running. */
  isChangingSession: boolean;
}

export interface Workspace {
  id: string;
  reports: string[];
}

/** Users and catalogue at the start of the load. */
export interface TestData {
  members: Person[];
  admins: Person[];
  workspaces: Workspace[];
  /** Workspace by the id of it or of one of its reports. */
  workspaceByResource: Map<string, string>;
  /** Workspace by the id of its report in Power BI. */
  workspaceByPbiReport: Map<string, string>;
}

const api = async (url: string, method: string, token: string, body?: object): Promise<unknown> => {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.json();
};

/** Signs in the first admin at a replica. */
export async function adminToken({ replicas, secrets }: Cluster): Promise<string> {
  const replica = replicas.find(({ child }) => child.running);
  const response = (await api(`${replica?.url}/api/auth/token`, 'POST', '', secrets.admin)) as {
    access_token: string;
  };
  return response.access_token;
}

/** The catalogue of the emulator, and users with grants in two workspaces each. */
export async function createTestData(cluster: Cluster, people: number): Promise<TestData> {
  const token = await adminToken(cluster);
  const base = cluster.replicas[0]?.url;
  const { id } = (await api(`${base}/api/syncs`, 'POST', token)) as { id: string };
  await until(async () => {
    const run = (await api(`${base}/api/syncs/${id}`, 'GET', token)) as { finished_at: string | null };
    return run.finished_at !== null;
  }, 60);
  await setPolicies(base, token);
  return cluster.databases.admin(async (client) => {
    const testData = await readCatalogue(client);
    await addUsers(client, testData, people);
    return testData;
  });
}

interface Dataset {
  id: string;
  name: string;
  identity_required: boolean | null;
}

/** Identity policies with the user's email address, so that calls to Power BI show the user. */
async function setPolicies(base: string | undefined, token: string): Promise<void> {
  const { datasets } = (await api(`${base}/api/datasets`, 'GET', token)) as { datasets: Dataset[] };
  for (const { id, name, identity_required } of datasets) {
    if (identity_required !== true) continue;
    const policy = { username: '{{email}}', roles: rolesOf[name] ?? [] };
    await api(`${base}/api/datasets/${id}/identity-policy`, 'PUT', token, policy);
  }
}

async function readCatalogue(client: Client): Promise<TestData> {
  const { rows } = await client.query<{ id: string; reports: string[]; upstream: string[] }>(
    `SELECT w.id, array_agg(r.id ORDER BY r.id) AS reports, array_agg(r.pbi_report_id) AS upstream
     FROM workspaces w JOIN reports r ON r.workspace_id = w.id GROUP BY w.id ORDER BY min(w.name)`,
  );
  const pairs = rows.flatMap(({ id, reports }) => [id, ...reports].map((each) => [each, id] as const));
  return {
    members: [],
    admins: [],
    workspaces: rows.map(({ id, reports }) => ({ id, reports })),
    workspaceByResource: new Map(pairs),
    workspaceByPbiReport: new Map(
      rows.flatMap(({ id, upstream }) => upstream.map((each) => [each, id] as const)),
    ),
  };
}

async function addUsers(client: Client, testData: TestData, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const isAdmin = index % 8 === 0;
    const password = `person-${randomBytes(15).toString('base64url')}`;
    const at = (offset: number) =>
      testData.workspaces[(index + offset) % testData.workspaces.length]?.id ?? '';
    const person: Person = {
      id: randomUUID(),
      email: `person-${index}@faults.example`,
      password,
      isAdmin,
      address: `10.0.${index >> 8}.${index & 255}`,
      workspaces: isAdmin ? [] : [at(0), at(3)],
      session: null,
      isChangingSession: false,
    };
    await client.query(
      `INSERT INTO users (id, email, name, role, status, password_hash, created_at)
       VALUES ($1, $2, 'Version 0', $3, 'active', $4, now())`,
      [person.id, person.email, isAdmin ? 'admin' : 'member', await hash(password, floor)],
    );
    for (const workspace of person.workspaces) {
      await client.query(
        `INSERT INTO grants (user_id, workspace_id, source, role, created_at)
         VALUES ($1, $2, 'manual', 'viewer', now())`,
        [person.id, workspace],
      );
    }
    (isAdmin ? testData.admins : testData.members).push(person);
  }
}

const floor = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
