import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { t } from 'i18next';
import { msg } from '../../i18n/index.js';
import { Page } from '../../components/page.js';
import { ExportMenu } from '../../export/export-menu.js';
import { ExportProgress } from '../../export/export-progress.js';
import { type ExportRequest, useExport } from '../../export/use-export.js';
import { managesAny, useMe } from '../../session/use-session.js';
import { DemoNotice } from './demo-notice.js';
import { usePeriod } from './period.js';
import { PeriodPicker } from './period-picker.js';

const pages = [
  { to: '/analytics', label: msg('Overview') },
  { to: '/analytics/reports', label: msg('Reports') },
  { to: '/analytics/unused', label: msg('Unused reports') },
  { to: '/analytics/adoption', label: msg('Adoption') },
];

/** Links between the pages of Analytics, which keep the period. */
function PageLinks() {
  const { pathname } = useLocation();
  const { search } = usePeriod();
  return (
    <Group component="nav" aria-label={t('Analytics')} gap="lg" className="page-links">
      {pages.map(({ to, label }) => (
        <Anchor
          key={to}
          component={Link}
          to={`${to}${search}`}
          aria-current={pathname === to ? 'page' : undefined}
          fw={pathname === to ? 700 : undefined}
        >
          {t(label)}
        </Anchor>
      ))}
    </Group>
  );
}

interface Props {
  title: string;
  lead?: ReactNode;
  above?: ReactNode;
  /** The name of the exported file, and its request. Left out where the sections of the page have their own. */
  file?: string;
  request?: ExportRequest;
  /** Whether the figures are those of a period. */
  hasPeriod?: boolean;
  children: ReactNode;
}

/** A page of Analytics with links to the others, the period and the export of its figures. */
export function AnalyticsPage({ title, lead, above, file = '', request, hasPeriod = true, children }: Props) {
  const { data: me } = useMe();
  const exporting = useExport(file, request ?? (() => Promise.reject(new Error('Nothing to export.'))));
  return (
    <Page
      title={title}
      lead={lead}
      above={above}
      actions={request && <ExportMenu exporting={exporting} label={t('Export the data on this page')} />}
    >
      <Group justify="space-between">
        {managesAny(me) && <PageLinks />}
        {hasPeriod && <PeriodPicker />}
      </Group>
      <DemoNotice />
      <ExportProgress exporting={exporting} />
      {children}
    </Page>
  );
}
