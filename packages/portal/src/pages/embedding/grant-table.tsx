import { Anchor, Badge, Code, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { components } from '../../api/schema.js';
import { principals, reports } from '../../api/sources.js';
import { NameOf } from '../../components/name-of.js';
import { Time } from '../../components/time.js';

type Grant = components['schemas']['EmbedGrantDto'];

const Identity = ({ identity }: Pick<Grant, 'identity'>) =>
  identity === null ? (
    <Text size="sm" c="dimmed">
      none
    </Text>
  ) : (
    <>
      <Code>{identity.username}</Code>
      {identity.roles.length > 0 && <Text size="xs">{identity.roles.join(', ')}</Text>}
    </>
  );

function Row({ grant }: { grant: Grant }) {
  const isGood = Date.parse(grant.expires_at) > Date.now();
  return (
    <Table.Tr>
      <Table.Td>
        <Time at={grant.issued_at} />
      </Table.Td>
      <Table.Td>
        <Anchor component={Link} to={`/users/${grant.user_id}`} size="sm">
          <NameOf source={principals} id={grant.user_id} />
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Anchor component={Link} to={`/reports/${grant.report_id}`} size="sm">
          <NameOf source={reports} id={grant.report_id} />
        </Anchor>
      </Table.Td>
      <Table.Td>{grant.access === 'edit' ? 'Edit' : 'View'}</Table.Td>
      <Table.Td>
        <Identity identity={grant.identity} />
      </Table.Td>
      <Table.Td>
        <Badge color={isGood ? 'green' : 'gray'} variant="light" mr="xs" miw="max-content">
          {isGood ? 'Good' : 'Ended'}
        </Badge>
        <Time at={grant.expires_at} />
      </Table.Td>
      <Table.Td ta="right">{grant.handed_out}</Table.Td>
      <Table.Td>
        <Text size="sm">{grant.ip ?? '–'}</Text>
      </Table.Td>
      <Table.Td>
        <Code>{grant.token_id}</Code>
      </Table.Td>
    </Table.Tr>
  );
}

export const GrantTable = ({ grants }: { grants: Grant[] }) => (
  <Table.ScrollContainer minWidth={1100}>
    <Table highlightOnHover verticalSpacing="sm" style={{ whiteSpace: 'nowrap' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Issued</Table.Th>
          <Table.Th>To</Table.Th>
          <Table.Th>Report</Table.Th>
          <Table.Th>Access</Table.Th>
          <Table.Th>Identity</Table.Th>
          <Table.Th>Expires</Table.Th>
          <Table.Th ta="right">Handed out</Table.Th>
          <Table.Th>From</Table.Th>
          <Table.Th>Token in Power BI</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {grants.map((grant) => (
          <Row key={grant.id} grant={grant} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
