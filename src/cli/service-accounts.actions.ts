import type { INestApplicationContext } from '@nestjs/common';
import {
  CreateSecretDto,
  CreateServiceAccountDto,
  ListServiceAccountsQuery,
  NewSecretDto,
  NewServiceAccountDto,
  ServiceAccountDto,
} from '../auth/service-accounts/dto/service-account.dto.js';
import { ServiceAccountSecretsService } from '../auth/service-accounts/service-account-secrets.service.js';
import { ServiceAccountsService } from '../auth/service-accounts/service-accounts.service.js';
import type { ServiceAccountSecret } from '../auth/service-accounts/service-account-secret.entity.js';
import { validId } from '../core/validation/path-id.js';
import { commandLine, everyPage, table } from './output.js';
import { action, validated } from './service.js';
import { systemActor } from './system-actor.js';

interface Options {
  role: string;
  scope: string[];
  days: number;
}

/** All service accounts that match the filter, with their valid secrets. */
export async function listServiceAccounts(
  app: INestApplicationContext,
  filter: Pick<ListServiceAccountsQuery, 'status'> = {},
): Promise<ServiceAccountDto[]> {
  const accounts = app.get(ServiceAccountsService);
  const secrets: ServiceAccountSecret[] = [];
  const users = await everyPage(async (cursor) => {
    const page = await accounts.list(commandLine, { ...new ListServiceAccountsQuery(), ...filter, cursor });
    secrets.push(...page.secrets);
    return page;
  });
  return users.map((user) => ServiceAccountDto.from(user, secrets));
}

export const list = action(async (app) => {
  const shown = await listServiceAccounts(app);
  const lines = shown.map((account) => ({ ...account, secrets: account.secrets.length }));
  const columns = ['id', 'name', 'role', 'status', 'secrets', 'last_sign_in_at'] as const;
  return [{ service_accounts: shown }, table(lines, columns)];
});

export const create = action(async (app, { role, scope, days: expires_in_days }: Options, name: string) => {
  const body = await validated({ name, role, scopes: scope, expires_in_days }, CreateServiceAccountDto);
  const { account, secret } = await app.get(ServiceAccountsService).create(await systemActor(app), body);
  const text = `client_id      ${account.id}\nclient_secret  ${secret.secret}`;
  return [NewServiceAccountDto.with({ ...account, lastSignInAt: null }, secret), text];
});

export const rotate = action(async (app, { days: given }: Options, id: string) => {
  const { expires_in_days } = await validated({ expires_in_days: given }, CreateSecretDto);
  const accounts = app.get(ServiceAccountsService);
  const { account } = await accounts.get(validId(id));
  const secrets = app.get(ServiceAccountSecretsService);
  const secret = await secrets.rotate(await systemActor(app), account.id, expires_in_days);
  return [NewSecretDto.of(secret), `client_id      ${account.id}\nclient_secret  ${secret.secret}`];
});

export const disable = action(async (app, _: object, given: string) => {
  const accounts = app.get(ServiceAccountsService);
  const id = validId(given);
  await accounts.get(id);
  const { account, secrets } = await accounts.update(await systemActor(app), id, { status: 'disabled' });
  return [ServiceAccountDto.from(account, secrets), `${account.name} is disabled.`];
});
