import { t } from 'i18next';
import { Trans } from 'react-i18next';
import { users } from '../api/sources.js';
import { NameOf } from './name-of.js';
import { isAdmin, useMe } from '../session/use-session.js';

/** Who invited or created. Only admins see the names of other users. */
export function Author({ id }: { id: string }) {
  const { data: me } = useMe();
  if (me?.id === id) return t('by you');
  if (!isAdmin(me)) return t('by another user');
  return <Trans i18nKey="by <name />" components={{ name: <NameOf source={users} id={id} /> }} />;
}
