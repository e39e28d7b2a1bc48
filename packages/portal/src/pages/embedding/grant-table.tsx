import { Anchor, Badge, Code, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import type { components } from '../../api/schema.js';
import { principals, reports } from '../../api/sources.js';
import { NameOf, useNamed } from '../../components/name-of.js';
import { formatNumber } from '../../i18n/format.js';
import { Time } from '../../components/time.js';
import { useNow } from '../../components/use-now.js';
import { WideTable } from '../../components/wide-table.js';

type Grant = components['schemas']['EmbedGrantDto'];

const Identity = ({ identity }: Pick<Grant, 'identity'>) =>
  identity === null ? (
    <Text size="sm" c="dimmed">
      {t('None')}
    </Text>
  ) : (
    <>
      <Code>{identity.username}</Code>
      {identity.roles.length > 0 && <Text size="xs">{identity.roles.join(', ')}</Text>}
    </>
  );

function Holder({ id }: { id: string }) {
  const isServiceAccount = useNamed(principals, id).choice?.isServiceAccount === true;
  return (
    <Anchor component={Link} to={`/${isServiceAccount ? 'service-accounts' : 'users'}/${id}`} size="sm">
      <NameOf source={principals} id={id} />
    </Anchor>
  );
}

const Row = memo(function Row({ grant }: { grant: Grant }) {
  const isActive = useNow((now) => Date.parse(grant.expires_at) > now);
  return (
    <Table.Tr>
      <Table.Td>
        <Time at={grant.issued_at} />
      </Table.Td>
      <Table.Td>
        <Holder id={grant.user_id} />
      </Table.Td>
      <Table.Td>
        <Anchor component={Link} to={`/reports/${grant.report_id}`} size="sm">
          <NameOf source={reports} id={grant.report_id} />
        </Anchor>
      </Table.Td>
      <Table.Td>{grant.access === 'edit' ? t('Edit') : t('View')}</Table.Td>
      <Table.Td>
        <Identity identity={grant.identity} />
      </Table.Td>
      <Table.Td>
        <Badge color={isActive ? 'green' : 'gray'} variant="light" mr="xs" miw="max-content">
          {isActive ? t('Active') : t('Expired')}
        </Badge>
        <Time at={grant.expires_at} />
      </Table.Td>
      <Table.Td ta="right">{formatNumber(grant.times_issued)}</Table.Td>
      <Table.Td>
        <Text size="sm">{grant.ip ?? '–'}</Text>
      </Table.Td>
      <Table.Td>
        <Code>{grant.token_id}</Code>
      </Table.Td>
    </Table.Tr>
  );
});

export const GrantTable = ({ grants }: { grants: Grant[] }) => (
  <WideTable minWidth={1100}>
    <Table highlightOnHover verticalSpacing="sm" style={{ whiteSpace: 'nowrap' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Issued')}</Table.Th>
          <Table.Th>{t('User')}</Table.Th>
          <Table.Th>{t('Report')}</Table.Th>
          <Table.Th>{t('Access')}</Table.Th>
          <Table.Th>{t('Identity sent')}</Table.Th>
          <Table.Th>{t('Expires')}</Table.Th>
          <Table.Th ta="right">{t('Times issued')}</Table.Th>
          <Table.Th>{t('IP address')}</Table.Th>
          <Table.Th>{t('Power BI token ID')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {grants.map((grant) => (
          <Row key={grant.id} grant={grant} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
