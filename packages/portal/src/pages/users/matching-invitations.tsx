import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';

/** Literal keys, so that each is translated. */
const texts = {
  pending: (count: number) => t('{{count}} pending invitations match your search', { count }),
  expired: (count: number) => t('{{count}} expired invitations match your search', { count }),
};

interface Props {
  q: string;
  status: keyof typeof texts;
}

/** An invited person becomes a user by accepting: until then a search of the users finds nothing. */
export function MatchingInvitations({ q, status }: Props) {
  const query = { q, status, limit: 1, count: true } as const;
  const { total } = useList(
    ['invitations', 'matching', query],
    (_, signal) => api.GET('/api/invitations', { params: { query }, signal }),
    ({ invitations }) => invitations,
  );
  if (total === undefined || total.count === 0) return null;
  const text = texts[status](total.count);
  return (
    <Anchor component={Link} to={`/invitations?${new URLSearchParams({ q, status })}`} size="sm">
      {total.isMore ? t('More than {{rows}}', { rows: text }) : text}
    </Anchor>
  );
}
