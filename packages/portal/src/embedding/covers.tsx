import './embedding.css';
import { Box, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Over the frame, so that nothing of it is seen or reached. */
export const Cover = ({ children }: { children: ReactNode }) => (
  <Box className="report-cover" p={{ base: 0, sm: 'xs' }}>
    {children}
  </Box>
);

/** About what a report looks like. */
export const LoadingReport = () => (
  <Stack h="100%" gap="sm" role="status" aria-label="The report is loading">
    <Skeleton height={48} />
    <Box className="report-sketch">
      {['card', 'card', 'card', 'card', 'wide', 'narrow', 'narrow', 'wide'].map((kind, place) => (
        <Skeleton key={place} height="100%" className={`report-sketch-${kind}`} />
      ))}
    </Box>
  </Stack>
);

export const Slow = () => (
  <Text size="sm" c="dimmed" role="status">
    Power BI takes longer than usual with this report.
  </Text>
);
