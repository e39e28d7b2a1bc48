import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { demoPrincipalObjectId } from '@vitrine/power-bi-emulator';
import { EmulatorClient, type Named } from '../support/emulator-client.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

async function newProfile(displayName: string) {
  const { body } = await emulator.post<{ id: string }>('/profiles', { displayName });
  return { id: body.id, header: { 'X-PowerBI-Profile-Id': body.id } };
}

describe('service principal profiles', () => {
  test('are created, listed, renamed and deleted by their service principal', async () => {
    const { id } = await newProfile('Customer A');
    await newProfile('Customer B');
    const filter = encodeURIComponent("displayName eq 'Customer B'");
    expect((await emulator.get(`/profiles?$filter=${filter}`)).body).toMatchObject({
      value: [{ displayName: 'Customer B' }],
    });
    await emulator.rest('PUT', `/profiles/${id}`, { displayName: 'Customer C' });
    expect((await emulator.get(`/profiles/${id}`)).body).toMatchObject({ id, displayName: 'Customer C' });
    expect((await emulator.get('/admin/profiles')).body).toMatchObject({
      value: [{ id, servicePrincipalId: demoPrincipalObjectId }, {}],
    });
    expect((await emulator.rest('DELETE', `/profiles/${id}`)).status).toBe(200);
    expect((await emulator.get(`/profiles/${id}`)).status).toBe(404);
    expect((await emulator.post('/profiles', { displayName: '' })).status).toBe(400);
  });

  test('see only their own workspaces', async () => {
    const [one, other] = [await newProfile('one'), await newProfile('other')];
    expect((await emulator.get('/groups', one.header)).body).toMatchObject({ value: [] });
    const made = await emulator.post<Named>('/groups', { name: 'Of one' }, one.header);
    expect(made.status).toBe(200);
    expect((await emulator.get(`/groups/${made.body.id}`, one.header)).status).toBe(200);
    expect((await emulator.get(`/groups/${made.body.id}`, other.header)).status).toBe(401);
    expect((await emulator.get(`/groups/${made.body.id}`)).status).toBe(401);
  });

  test('can be given a role in a workspace and then embed from it', async () => {
    const { id, header } = await newProfile('Customer A');
    const report = await emulator.report('Sales', 'Pipeline');
    const request = { reports: [{ id: report.id }], datasets: [{ id: report.datasetId }] };
    expect((await emulator.post('/GenerateToken', request, header)).status).toBe(401);
    const user = {
      identifier: demoPrincipalObjectId,
      principalType: 'App',
      groupUserAccessRight: 'Member',
      profile: { id },
    };
    expect((await emulator.post(`/groups/${report.groupId}/users`, user)).status).toBe(200);
    expect((await emulator.post('/GenerateToken', request, header)).status).toBe(200);
    const path = `/groups/${report.groupId}/users/${demoPrincipalObjectId}?profileId=${id}`;
    expect((await emulator.rest('DELETE', path)).status).toBe(200);
    expect((await emulator.post('/GenerateToken', request, header)).status).toBe(401);
    expect((await emulator.post('/GenerateToken', request)).status).toBe(200);
  });

  test('of another principal are rejected, and so is managing profiles as a profile', async () => {
    const foreign = { 'X-PowerBI-Profile-Id': crypto.randomUUID() };
    expect((await emulator.get('/groups', foreign)).status).toBe(403);
    const { header } = await newProfile('Customer A');
    expect((await emulator.get('/profiles', header)).status).toBe(403);
  });

  test('are not managed or used by a user', async () => {
    const dana = await emulator.headerOf('dana');
    const id = crypto.randomUUID();
    const profile = {
      id,
      displayName: 'Customer A',
      servicePrincipalId: '00000000-0000-4000-8000-000000000013',
    };
    await emulator.control('POST', '/content', { workspaces: [], profiles: [profile] });
    expect((await emulator.get('/groups', dana)).status).toBe(200);
    expect((await emulator.get('/groups', { ...dana, 'X-PowerBI-Profile-Id': id })).status).toBe(403);
    const path = `/profiles/${id}`;
    expect((await emulator.get('/profiles', dana)).status).toBe(403);
    expect((await emulator.get(path, dana)).status).toBe(403);
    expect((await emulator.post('/profiles', { displayName: 'Customer B' }, dana)).status).toBe(403);
    expect((await emulator.rest('PUT', path, { displayName: 'Customer B' }, dana)).status).toBe(403);
    expect((await emulator.rest('DELETE', path, undefined, dana)).status).toBe(403);
  });
});

describe('the limit of workspaces', () => {
  test('is a thousand for each service principal', async () => {
    await emulator.control('POST', '/content', { workspaces: 999, reports_per_workspace: 0 });
    expect((await emulator.post('/groups', { name: 'the last one' })).status).toBe(200);
    expect((await emulator.post('/groups', { name: 'one too many' })).status).toBe(400);
  });
});
