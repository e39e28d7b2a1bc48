import './embedding.css';
import { Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Over the frame, so that its content is neither visible nor reachable. */
export const Cover = ({ children }: { children: ReactNode }) => (
  <Box className="report-cover">{children}</Box>
);

/** The outline of a report. */
export function LoadingReport() {
  const { t } = useTranslation();
  return (
    <Stack h="100%" gap="sm" role="status" aria-label={t('Loading report')}>
      <Skeleton height={48} />
      <Box className="report-sketch">
        {['card', 'card', 'card', 'card', 'wide', 'narrow', 'narrow', 'wide'].map((kind, place) => (
          <Skeleton key={place} height="100%" className={`report-sketch-${kind}`} />
        ))}
      </Box>
    </Stack>
  );
}

export function Slow({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation();
  return (
    <Group gap="sm" mb="xs">
      <Text size="sm" c="dimmed" role="status">
        {t('Power BI is taking longer than usual to load this report.')}{' '}
        {t('If this continues, your network may block Power BI: contact your administrator.')}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onAgain}>
        {t('Try again')}
      </Button>
    </Group>
  );
}
