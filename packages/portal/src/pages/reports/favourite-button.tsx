import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFavourite } from '../favourites/use-favourites.js';
import type { Report } from './report-rows.js';

/** Adds a report to the favourites, or removes it. */
export function FavouriteButton({ report }: { report: Report }) {
  const { t } = useTranslation();
  const { isFavourite, isKnown, toggle } = useFavourite(report);
  const Icon = isFavourite ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      variant="subtle"
      color={isFavourite ? 'yellow' : 'gray'}
      aria-label={t('Favourite: {{name}}', { name: report.name })}
      title={isFavourite ? t('Remove from favourites') : t('Add to favourites')}
      aria-pressed={isFavourite}
      disabled={!isKnown}
      onClick={toggle}
    >
      <Icon size={18} />
    </ActionIcon>
  );
}
