import { Alert, Text } from '@mantine/core';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { LoadingRows } from '../../components/states.js';
import { AnalyticsPage } from './analytics-page.js';
import { Buckets } from './buckets.js';
import { Failures } from './failures.js';
import { FigureCards } from './figures.js';
import { usePeriod } from './period.js';
import { ReportTable } from './report-table.js';
import { useOverview, useQueryOfPeriod, useTopReports } from './use-usage.js';

interface TopProps {
  title: string;
  sort: '-views' | '-opening';
}

function TopReports({ title, sort }: TopProps) {
  const top = useTopReports(sort);
  return (
    <Section title={title}>
      <QueryView query={top} loading={<LoadingRows rows={5} />}>
        {({ reports }) =>
          reports.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('No views in this period.')}
            </Text>
          ) : (
            <ReportTable reports={reports} />
          )
        }
      </QueryView>
    </Section>
  );
}

export function Component() {
  const { period } = usePeriod();
  const query = useQueryOfPeriod();
  const overview = useOverview();
  return (
    <AnalyticsPage
      title={t('Analytics')}
      lead={t('See who uses which reports. Browsers report views; the service records issued tokens.')}
      file="usage-overview"
      request={(options) => api.GET('/api/usage/overview', { params: { query }, ...options })}
    >
      <QueryView query={overview}>
        {(found) => (
          <>
            <FigureCards figures={found} previous={found.previous} />
            {found.views === 0 && found.issued_views > 0 && (
              <Alert color="blue" variant="light" title={t('No views reported in this period')}>
                {t('The service issued tokens, so reports were opened, but no browser reported a view.')}
              </Alert>
            )}
            <Buckets buckets={found.buckets} unit={period.bucket} />
            <TopReports title={t('Most viewed reports')} sort="-views" />
            <TopReports title={t('Slowest reports')} sort="-opening" />
            <Failures failures={found.failures_by_code} />
          </>
        )}
      </QueryView>
    </AnalyticsPage>
  );
}
