import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  admin = await service.asAdmin();
});

interface Datasets {
  datasets: { id: string }[];
}

const newDataset = async (given: object = {}) =>
  service.factory.dataset(await service.factory.workspace(), given);

describe('GET /api/datasets', () => {
  test('200: exactly the fields of a dataset, filtered by workspace', async () => {
    const policy = { username: '{{email}}', roles: ['Europe'], custom_data: null };
    const given = { identityRequired: true, identityRolesRequired: null, identityPolicy: policy };
    const dataset = await newDataset({ name: 'Orders', ...given });
    await newDataset();
    const { status, body } = await admin.get(`/api/datasets?workspace_id=${dataset.workspaceId}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      datasets: [
        {
          id: dataset.id,
          name: 'Orders',
          workspace_id: dataset.workspaceId,
          pbi_dataset_id: dataset.pbiDatasetId,
          identity_required: true,
          identity_roles_required: null,
          identity_policy: policy,
        },
      ],
    });
  });

  test('200: filtered by name, without retired datasets', async () => {
    const kept = await newDataset({ name: 'Ledger 1' });
    await newDataset({ name: 'Ledger 2', retiredAt: new Date() });
    const { body } = await admin.get<Datasets>('/api/datasets?q=ledger');
    expect(body.datasets.map(({ id }) => id)).toEqual([kept.id]);
  });

  test('200: datasets whose reports need a policy or its roles, and those with a policy', async () => {
    const workspace = await service.factory.workspace();
    const make = (given: object) => service.factory.dataset(workspace, given);
    const policy = { username: '{{email}}', roles: [], custom_data: null };
    const none = await make({ identityRequired: true });
    const roleless = await make({
      identityRequired: true,
      identityRolesRequired: true,
      identityPolicy: policy,
    });
    const whole = await make({ identityRequired: true, identityPolicy: policy });
    await make({ identityRequired: false });
    await make({ identityRequired: null });
    const listed = async (filter: string) => {
      const { body } = await admin.get<Datasets>(
        `/api/datasets?workspace_id=${workspace.id}&policy=${filter}`,
      );
      return body.datasets.map(({ id }) => id).toSorted();
    };
    expect(await listed('missing')).toEqual([none.id, roleless.id].toSorted());
    expect(await listed('set')).toEqual([roleless.id, whole.id].toSorted());
  });

  test('400: an unknown filter value', async () => {
    expect((await admin.get('/api/datasets?policy=none')).status).toBe(400);
  });

  test('403: a member, even a manager of the workspace', async () => {
    const manager = await service.asMember(await service.factory.workspace(), 'manager');
    expect((await manager.get('/api/datasets')).status).toBe(403);
  });
});

describe('GET /api/datasets/:id', () => {
  test('200: one dataset', async () => {
    const { id } = await newDataset();
    expect(await admin.get(`/api/datasets/${id}`)).toMatchObject({ status: 200, body: { id } });
  });

  test('400: an invalid id', async () => {
    expect((await admin.get('/api/datasets/7')).status).toBe(400);
  });

  test('404: an unknown or retired id', async () => {
    const { id } = await newDataset({ retiredAt: new Date() });
    for (const unknown of [id, uuidv7()]) {
      const response = await admin.get(`/api/datasets/${unknown}`);
      expect(response).toMatchObject({ status: 404, body: { code: 'dataset_not_found' } });
    }
  });
});

describe('PUT /api/datasets/:id/identity-policy', () => {
  const put = (id: string, body: unknown, by = admin) => by.put(`/api/datasets/${id}/identity-policy`, body);

  test('200: the dataset with its policy, which is stored', async () => {
    const { id } = await newDataset();
    const policy = { username: 'c:{{attributes.customer}}', roles: ['{{id}}', 'All'], custom_data: 'x' };
    const response = await put(id, policy);
    expect(response).toMatchObject({ status: 200, body: { id, identity_policy: policy } });
    expect((await admin.get(`/api/datasets/${id}`)).body).toEqual(response.body);
  });

  test('200: roles and custom data are optional', async () => {
    const { id } = await newDataset();
    const { body } = await put(id, { username: '{{email}}' });
    expect(body.identity_policy).toEqual({ username: '{{email}}', roles: [], custom_data: null });
  });

  test('200: the audit trail has the old and the new policy', async () => {
    const { id } = await newDataset();
    await put(id, { username: '{{email}}' });
    const { headers } = await put(id, { username: '{{id}}' });
    const rows = await service.database.query('SELECT details FROM audit_events WHERE request_id = $1', [
      headers.get('x-request-id'),
    ]);
    expect(rows).toMatchObject([
      { details: { before: { username: '{{email}}' }, after: { username: '{{id}}' } } },
    ]);
  });

  test.each([
    ['no username', {}, '/username'],
    ['an unknown placeholder', { username: '{{password}}' }, '/username'],
    ['half a placeholder', { username: '{{email}' }, '/username'],
    ['a placeholder named like an object property', { username: '{{attributes.a.b}}' }, '/username'],
    ['an invalid role', { username: 'x', roles: [7] }, '/roles'],
    ['roles that are not a list', { username: 'x', roles: 'Europe' }, '/roles'],
    ['an unknown field', { username: 'x', effective: true }, '/effective'],
  ])('400: %s', async (_name, body, pointer) => {
    const { id } = await newDataset();
    const response = await put(id, body);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((response.body.errors as { pointer: string }[])[0]?.pointer).toBe(pointer);
    expect((await admin.get(`/api/datasets/${id}`)).body.identity_policy).toBeNull();
  });

  test('403: a manager of the workspace', async () => {
    const workspace = await service.factory.workspace();
    const { id } = await service.factory.dataset(workspace);
    const manager = await service.asMember(workspace, 'manager');
    expect((await put(id, { username: '{{email}}' }, manager)).status).toBe(403);
  });

  test('404: an unknown id', async () => {
    const response = await put(uuidv7(), { username: '{{email}}' });
    expect(response).toMatchObject({ status: 404, body: { code: 'dataset_not_found' } });
  });
});

describe('DELETE /api/datasets/:id/identity-policy', () => {
  test('200: the policy is removed, even if there was none; the audit trail has the old one', async () => {
    const { id } = await newDataset();
    await admin.put(`/api/datasets/${id}/identity-policy`, { username: '{{email}}' });
    const response = await admin.delete(`/api/datasets/${id}/identity-policy`);
    expect(response).toMatchObject({ status: 200, body: { id, identity_policy: null } });
    const rows = await service.database.query('SELECT details FROM audit_events WHERE request_id = $1', [
      response.headers.get('x-request-id'),
    ]);
    expect(rows).toMatchObject([{ details: { before: { username: '{{email}}' }, after: null } }]);
    expect((await admin.delete(`/api/datasets/${id}/identity-policy`)).status).toBe(200);
  });

  test('404: an unknown id', async () => {
    const response = await admin.delete(`/api/datasets/${uuidv7()}/identity-policy`);
    expect(response).toMatchObject({ status: 404, body: { code: 'dataset_not_found' } });
  });
});
