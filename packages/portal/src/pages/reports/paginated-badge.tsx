import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function PaginatedBadge() {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color="grape" size="sm" autoContrast={false}>
      {t('Paginated')}
    </Badge>
  );
}
