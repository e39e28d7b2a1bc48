import { t } from 'i18next';
import { api } from '../../api/client.js';
import { DisableOrDelete } from '../../components/disable-or-delete.js';
import { type ServiceAccount, useAccountsChanged, useChangeAccount } from './use-service-account.js';

export function Ending({ account: { id, name, status } }: { account: ServiceAccount }) {
  return (
    <DisableOrDelete
      lead={t("A disabled account can be enabled again. Deleting an account can't be undone.")}
      isActive={status === 'active'}
      useChange={() => useChangeAccount(id)}
      enabled={t('{{name}} was enabled.', { name })}
      disabling={{
        title: t('Disable {{name}}?', { name }),
        text: t("Its sessions end immediately, and it can't sign in until it is enabled again."),
        done: t('{{name}} was disabled.', { name }),
      }}
      deleting={{
        title: t('Delete {{name}} permanently?', { name }),
        text: t("Its secrets, sessions and access are deleted. This can't be undone."),
        done: t('{{name}} was deleted.', { name }),
      }}
      remove={() => api.DELETE('/api/service-accounts/{id}', { params: { path: { id } } })}
      list="/service-accounts"
      changed={useAccountsChanged()}
    />
  );
}
