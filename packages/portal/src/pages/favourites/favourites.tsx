import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '@mantine/core';
import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { Empty } from '../../components/states.js';
import { ReportRows } from '../reports/report-rows.js';
import { useFavourites } from './use-favourites.js';

function NoFavourites() {
  const { t } = useTranslation();
  return (
    <Empty title={t('No favourites yet')}>
      {t('Select the star of a report to add it to this page.')}
      <div>
        <Button component={Link} to="/reports" mt="sm">
          {t('Browse reports')}
        </Button>
      </div>
    </Empty>
  );
}

export function Component() {
  const { t } = useTranslation();
  const favourites = useFavourites();
  return (
    <Page title={t('Favourites')}>
      <QueryView query={favourites}>
        {(reports) =>
          reports.length === 0 ? (
            <NoFavourites />
          ) : (
            <ReportRows reports={reports} withWorkspace isSorted={false} />
          )
        }
      </QueryView>
    </Page>
  );
}
