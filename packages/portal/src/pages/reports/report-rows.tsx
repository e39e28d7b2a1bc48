import './reports.css';
import { Anchor, Group, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema.js';
import { HiddenHeader } from '../../components/hidden-header.js';
import { SortHeader } from '../../components/sort-header.js';
import { FavouriteButton } from './favourite-button.js';
import { Freshness } from './freshness.js';
import { PaginatedBadge } from './paginated-badge.js';
import { WorkspaceLink } from './workspace-link.js';

export type Report = components['schemas']['ReportDto'];

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

interface RowProps {
  report: Report;
  withWorkspace: boolean;
}

/** On a phone, workspace and freshness are below the name. */
const Row = memo(({ report, withWorkspace }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      <Name report={report} />
      <Text component="div" size="sm" hiddenFrom="sm">
        {withWorkspace && <WorkspaceLink id={report.workspace_id} />}
        <div>
          <Freshness report={report} />
        </div>
      </Text>
    </Table.Td>
    {withWorkspace && (
      <Table.Td visibleFrom="sm">
        <WorkspaceLink id={report.workspace_id} />
      </Table.Td>
    )}
    <Table.Td visibleFrom="sm">
      <Freshness report={report} />
    </Table.Td>
    <Table.Td>
      <FavouriteButton report={report} />
    </Table.Td>
  </Table.Tr>
));

interface Props {
  reports: Report[];
  /** Left out where all are of the same. */
  withWorkspace?: boolean;
  /** A list in an order of its own. */
  isSorted?: boolean;
}

export function ReportRows({ reports, withWorkspace = false, isSorted = true }: Props) {
  const { t } = useTranslation();
  return (
    <Table highlightOnHover layout="fixed">
      <Table.Thead>
        <Table.Tr>
          {isSorted ? (
            <SortHeader label={t('Name')} by="name" initial="name" />
          ) : (
            <Table.Th>{t('Name')}</Table.Th>
          )}
          {withWorkspace && (
            <Table.Th w="22%" visibleFrom="sm">
              {t('Workspace')}
            </Table.Th>
          )}
          <Table.Th w="28%" visibleFrom="sm">
            {t('Data')}
          </Table.Th>
          <HiddenHeader label={t('Favourite')} w={52} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {reports.map((report) => (
          <Row key={report.id} report={report} withWorkspace={withWorkspace} />
        ))}
      </Table.Tbody>
    </Table>
  );
}
