import { Group, List, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconQuestionMark, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { components } from '../api/schema.js';

export type CheckItem = components['schemas']['EmbedCheckItemDto'];

const names: Record<CheckItem['name'], string> = {
  access: 'Access in Vitrine',
  revocation: 'Revocation',
  embed_url: 'Address to embed from',
  dataset: 'Dataset',
  identity: 'Identity inside the data',
  power_bi: 'Power BI',
  service_principal: 'Service principal',
  report: 'Report in Power BI',
  capacity: 'Capacity',
  embed_token: 'Embed token',
};

const states = {
  ok: { word: 'OK', color: 'green', icon: <IconCheck size={16} aria-hidden /> },
  failed: { word: 'Failed', color: 'red', icon: <IconX size={16} aria-hidden /> },
  unknown: { word: 'Not known', color: 'gray', icon: <IconQuestionMark size={16} aria-hidden /> },
};

interface Props {
  items: CheckItem[];
  /** What to do about one that failed. */
  remedy?: (item: CheckItem) => ReactNode;
}

export const CheckItems = ({ items, remedy }: Props) => (
  <List
    listStyleType="none"
    spacing="sm"
    p={0}
    styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
  >
    {items.map((item) => {
      const { word, color, icon } = states[item.status];
      return (
        <List.Item key={item.name}>
          <Group wrap="nowrap" align="flex-start" gap="sm">
            <ThemeIcon color={color} variant="light" radius="xl" size={26}>
              {icon}
            </ThemeIcon>
            <div>
              <Text size="sm" fw={600}>
                {names[item.name]}: {word}
              </Text>
              <Text size="sm">{item.detail}</Text>
              {item.status === 'failed' && remedy?.(item)}
            </div>
          </Group>
        </List.Item>
      );
    })}
  </List>
);
