import { Anchor, Card, Group } from '@mantine/core';
import { Link } from 'react-router';
import { FavouriteButton } from '../reports/favourite-button.js';
import { Freshness } from '../reports/freshness.js';
import type { Report } from '../reports/report-rows.js';
import { WorkspaceLink } from '../reports/workspace-link.js';

const ReportCard = ({ report }: { report: Report }) => (
  <Card className="home-card" withBorder padding="md">
    <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
      <Anchor component={Link} to={`/reports/${report.id}`} fw={600} className="home-card-link">
        {report.name}
      </Anchor>
      <FavouriteButton report={report} />
    </Group>
    <span className="home-card-detail">
      <WorkspaceLink id={report.workspace_id} />
    </span>
    <Freshness report={report} />
  </Card>
);

export const ReportCards = ({ reports }: { reports: Report[] }) => (
  <ul className="home-cards">
    {reports.map((report) => (
      <li key={report.id}>
        <ReportCard report={report} />
      </li>
    ))}
  </ul>
);
