import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { components } from '../../api/schema.js';
import { workspaces } from '../../api/sources.js';
import { NameOf } from '../../components/name-of.js';
import { SortHeader } from '../../components/sort-header.js';
import { Time } from '../../components/time.js';

export type Report = components['schemas']['ReportDto'];

export const PaginatedBadge = () => (
  <Badge variant="light" color="grape" size="sm" autoContrast={false}>
    Paginated
  </Badge>
);

const Workspace = ({ id }: { id: string }) => (
  <Anchor component={Link} to={`/workspaces/${id}`} size="sm">
    <NameOf source={workspaces} id={id} />
  </Anchor>
);

function Name({ report: { id, name, description, report_type } }: { report: Report }) {
  return (
    <>
      <Group gap="xs">
        <Anchor component={Link} to={`/reports/${id}`}>
          {name}
        </Anchor>
        {report_type === 'PaginatedReport' && <PaginatedBadge />}
      </Group>
      {description !== null && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {description}
        </Text>
      )}
    </>
  );
}

interface Props {
  reports: Report[];
  /** Left out where all are of the same. */
  withWorkspace?: boolean;
}

/** On a phone the workspace stands below the name. */
export const ReportRows = ({ reports, withWorkspace = false }: Props) => (
  <Table highlightOnHover verticalSpacing="sm" layout="fixed">
    <Table.Thead>
      <Table.Tr>
        <SortHeader label="Name" by="name" initial="name" />
        {withWorkspace && (
          <Table.Th w="25%" visibleFrom="sm">
            Workspace
          </Table.Th>
        )}
        <SortHeader label="Updated" by="updated_at" initial="name" w={140} />
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {reports.map((report) => (
        <Table.Tr key={report.id}>
          <Table.Td>
            <Name report={report} />
            {withWorkspace && (
              <Text component="div" hiddenFrom="sm">
                <Workspace id={report.workspace_id} />
              </Text>
            )}
          </Table.Td>
          {withWorkspace && (
            <Table.Td visibleFrom="sm">
              <Workspace id={report.workspace_id} />
            </Table.Td>
          )}
          <Table.Td>
            <Time at={report.updated_at} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
