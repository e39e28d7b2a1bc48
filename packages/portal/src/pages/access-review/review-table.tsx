import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { t } from 'i18next';
import { GrantSource, Through } from '../../access/grant-source.js';
import { roleName } from '../../access/roles.js';
import { HolderName } from '../../access/target-grants-table.js';
import { Time } from '../../components/time.js';
import type { ReviewRow } from './review-row.js';

function Resource({ resource }: { resource: ReviewRow['resource'] }) {
  const { type, id, name, workspace_id, workspace_name } = resource;
  if (type === 'everything') return t('All workspaces and reports');
  return (
    <>
      <Anchor component={Link} to={`/workspaces/${workspace_id}`}>
        {workspace_name}
      </Anchor>
      {type === 'report' && (
        <>
          {' › '}
          <Anchor component={Link} to={`/reports/${id}`}>
            {name}
          </Anchor>
        </>
      )}
    </>
  );
}

const Granted = ({ row: { source, granted_by, granted_at } }: { row: ReviewRow }) =>
  source === null ? (
    '–'
  ) : (
    <>
      {granted_by === null ? <GrantSource source={source} /> : granted_by.name}
      <Text size="xs" c="dimmed" component="div">
        <Time at={granted_at} none={t('Unknown')} />
      </Text>
    </>
  );

const Row = ({ row }: { row: ReviewRow }) => (
  <Table.Tr>
    <Table.Td>
      <Group gap="xs">
        <div>
          <HolderName holder={{ ...row.user, type: 'user' }} />
        </div>
        {row.user.status === 'disabled' && (
          <Badge variant="light" color="gray">
            {t('Disabled')}
          </Badge>
        )}
      </Group>
    </Table.Td>
    <Table.Td>
      <Resource resource={row.resource} />
    </Table.Td>
    <Table.Td>{roleName(row.role)}</Table.Td>
    <Table.Td>{row.role === 'admin' ? '–' : <Through path={row.path} />}</Table.Td>
    <Table.Td>
      <Granted row={row} />
    </Table.Td>
    <Table.Td>
      <Time at={row.expires_at} />
    </Table.Td>
    <Table.Td>
      <Time at={row.last_token_at} />
    </Table.Td>
  </Table.Tr>
);

export const ReviewTable = ({ rows }: { rows: ReviewRow[] }) => (
  <Table.ScrollContainer minWidth={900}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('User')}</Table.Th>
          <Table.Th>{t('Workspace or report')}</Table.Th>
          <Table.Th>{t('Role')}</Table.Th>
          <Table.Th>{t('Through')}</Table.Th>
          <Table.Th>{t('Granted by')}</Table.Th>
          <Table.Th>{t('Expires')}</Table.Th>
          <Table.Th>{t('Last opened')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, index) => (
          <Row key={index} row={row} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
