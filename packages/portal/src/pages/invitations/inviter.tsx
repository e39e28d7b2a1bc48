import { users } from '../../api/sources.js';
import { NameOf } from '../../components/name-of.js';
import { isAdmin, useMe } from '../../session/use-session.js';

/** Who invited; people have names for admins only. */
export function Inviter({ id }: { id: string }) {
  const { data: me } = useMe();
  if (me?.id === id) return 'you';
  return isAdmin(me) ? <NameOf source={users} id={id} /> : 'somebody else';
}
