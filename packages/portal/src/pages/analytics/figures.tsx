import { Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { t } from 'i18next';
import type { components } from '../../api/schema.js';
import { change, count, duration, milliseconds } from './format.js';
import { usePeriod } from './period.js';

type Schemas = components['schemas'];
type Compared = 'views' | 'viewers' | 'seconds' | 'failures';
type Figures = Pick<Schemas['UsageOverviewDto'], Compared | 'issued_views' | 'opening_ms'>;

interface FigureProps {
  label: string;
  value: string;
  /** What the figure counts, or its change. */
  hint?: string;
}

export const Figure = ({ label, value, hint }: FigureProps) => (
  <Paper withBorder p="md" role="group" aria-label={label}>
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    <Text size="xl" fw={700}>
      {value}
    </Text>
    <Text size="xs" c="dimmed" mih={18}>
      {hint}
    </Text>
  </Paper>
);

interface Props {
  figures: Figures;
  previous?: Pick<Schemas['PreviousFiguresDto'], Compared>;
}

/** The figures of a period, with the change since the period before unless that is switched off. */
export function FigureCards({ figures, previous: before }: Props) {
  const { opening_ms: opening } = figures;
  const previous = usePeriod().compares ? before : undefined;
  const changeOf = (figure: Compared) => previous && change(figures[figure], previous[figure]);
  const changes = {
    views: changeOf('views'),
    viewers: changeOf('viewers'),
    seconds: changeOf('seconds'),
    failures: changeOf('failures'),
  };
  const isCompared = Object.values(changes).some((each) => each !== undefined);
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 2, md: 3, lg: 6 }} spacing="sm">
        <Figure label={t('Views')} value={count(figures.views)} hint={changes.views} />
        <Figure label={t('Viewers')} value={count(figures.viewers)} hint={changes.viewers} />
        <Figure label={t('Time viewed')} value={duration(figures.seconds)} hint={changes.seconds} />
        <Figure
          label={t('Load time')}
          value={milliseconds(opening.p50)}
          hint={t('95% within {{time}}', { time: milliseconds(opening.p95) })}
        />
        <Figure label={t('Failures')} value={count(figures.failures)} hint={changes.failures} />
        <Figure
          label={t('Issued tokens')}
          value={count(figures.issued_views)}
          hint={t('Recorded by the service')}
        />
      </SimpleGrid>
      {isCompared && (
        <Text size="xs" c="dimmed">
          {t('Changes compare with the previous period.')}
        </Text>
      )}
    </Stack>
  );
}
