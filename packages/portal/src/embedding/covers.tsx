import './embedding.css';
import { Box, Skeleton, Stack, Text } from '@mantine/core';
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

export function Slow() {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed" role="status" mb="xs">
      {t('Power BI is taking longer than usual to load this report.')}
    </Text>
  );
}
