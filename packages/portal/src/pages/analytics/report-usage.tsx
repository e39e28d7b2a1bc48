import { Anchor, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { WayBack } from '../../components/way-back.js';
import { WideTable } from '../../components/wide-table.js';
import { managesAny, useMe } from '../../session/use-session.js';
import { AnalyticsPage } from './analytics-page.js';
import { Buckets } from './buckets.js';
import { ExportFigures } from './export-figures.js';
import { Failures } from './failures.js';
import { FigureCards } from './figures.js';
import { count, duration, startOf } from './format.js';
import { usePeriod } from './period.js';
import { useQueryOfPeriod, useReportUsage } from './use-usage.js';

type Detail = components['schemas']['ReportUsageDetailDto'];

const Pages = ({ pages, children }: Pick<Detail, 'pages'> & { children: ReactNode }) => (
  <Section title={t('Pages')}>
    <Table maw={520}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Page')}</Table.Th>
          <Table.Th ta="right">{t('Views')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {pages.map(({ page, name, views }) => (
          <Table.Tr key={page}>
            <Table.Td>{name ?? page}</Table.Td>
            <Table.Td ta="right">{count(views)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
    {children}
  </Section>
);

interface PeopleProps {
  people: NonNullable<Detail['people']>;
  from: Detail['people_from'];
}

const People = ({ people, from }: PeopleProps) => (
  <Section
    title={t('Viewers')}
    lead={from === null ? undefined : t('Since {{date}}', { date: startOf(from) })}
  >
    <WideTable minWidth={480}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Name')}</Table.Th>
            <Table.Th ta="right">{t('Views')}</Table.Th>
            <Table.Th ta="right">{t('Time viewed')}</Table.Th>
            <Table.Th>{t('Last viewed')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map(({ user_id, name, views, seconds, last_viewed_at }) => (
            <Table.Tr key={user_id}>
              <Table.Td>{name}</Table.Td>
              <Table.Td ta="right">{count(views)}</Table.Td>
              <Table.Td ta="right">{duration(seconds)}</Table.Td>
              <Table.Td>
                <Time at={last_viewed_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  </Section>
);

export function Component() {
  const { id = '' } = useParams();
  const { period, search, query: days } = usePeriod();
  const query = useQueryOfPeriod();
  const usage = useReportUsage(id);
  const { data: me } = useMe();
  const above = managesAny(me)
    ? { to: `/analytics/reports${search}`, label: t('Report usage') }
    : { to: '/reports', label: t('Reports') };
  return (
    <AnalyticsPage
      title={
        usage.data === undefined ? t('Report usage') : t('Usage of {{report}}', { report: usage.data.name })
      }
      above={<WayBack steps={[above]} />}
      lead={
        (usage.data?.retired_at ?? null) === null ? (
          <Anchor component={Link} to={`/reports/${id}`} size="sm">
            {t('Open report')}
          </Anchor>
        ) : (
          t('The report no longer exists in Power BI.')
        )
      }
      file="usage-report"
      request={(options) =>
        api.GET('/api/usage/reports/{id}', {
          params: { path: { id }, query },
          ...options,
        })
      }
    >
      <QueryView query={usage}>
        {(found) => (
          <>
            <FigureCards figures={found} previous={found.previous} />
            <Buckets buckets={found.buckets} unit={period.bucket} />
            {found.pages.length > 0 && (
              <Pages pages={found.pages}>
                <ExportFigures
                  label={t('Export the figures of the pages')}
                  file="usage-pages"
                  request={(options) =>
                    api.GET('/api/usage/reports/{id}/pages', {
                      params: { path: { id }, query: days },
                      ...options,
                    })
                  }
                />
              </Pages>
            )}
            {found.people === null ? (
              <Text size="sm" c="dimmed">
                {found.people_from === null
                  ? t(
                      'Viewers are hidden because they aren’t recorded or you don’t have permission to see them.',
                    )
                  : t('Viewers before {{date}} are no longer stored.', { date: startOf(found.people_from) })}
              </Text>
            ) : (
              <People people={found.people} from={found.people_from} />
            )}
            <Failures failures={found.failures_by_code} />
          </>
        )}
      </QueryView>
    </AnalyticsPage>
  );
}
