import { ClientSecretCredential, DeviceCodeCredential, UsernamePasswordCredential } from '@azure/identity';
import {
  clientId,
  clientSecret,
  control,
  password,
  print,
  scope,
  tenant,
  user,
  workspaces,
} from './common.mjs';

const tokenOf = async (credential) => (await credential.getToken(scope)).token;

const bySecret = new ClientSecretCredential(tenant, clientId, clientSecret);
const byPassword = new UsernamePasswordCredential(tenant, clientId, user, password);
const byDevice = new DeviceCodeCredential({
  tenantId: tenant,
  clientId,
  userPromptCallback: ({ userCode }) =>
    void control('/device-codes', { user_code: userCode, username: user }),
});
print({
  bySecret: await workspaces(await tokenOf(bySecret)),
  byPassword: await workspaces(await tokenOf(byPassword)),
  byDevice: await workspaces(await tokenOf(byDevice)),
});
