import { Group, List, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconQuestionMark, IconX } from '@tabler/icons-react';
import { t } from 'i18next';
import type { ReactNode } from 'react';
import type { components } from '../api/schema.js';
import { translatedSentence } from '../api/sentences.js';
import { msg } from '../i18n/index.js';

export type CheckItem = components['schemas']['EmbedCheckItemDto'];

const names: Record<CheckItem['name'], string> = {
  access: msg('Workspace access'),
  revocation: msg('Token blocks'),
  embed_url: msg('Embed URL'),
  dataset: msg('Dataset'),
  identity: msg('Effective identity'),
  power_bi: msg('Power BI'),
  service_principal: msg('Service principal'),
  report: msg('Report in Power BI'),
  capacity: msg('Capacity'),
  embed_token: msg('Embed token'),
};

const states = {
  ok: { label: msg('Passed'), color: 'green', icon: <IconCheck size={16} aria-hidden /> },
  failed: { label: msg('Failed'), color: 'red', icon: <IconX size={16} aria-hidden /> },
  unknown: { label: msg('Not checked'), color: 'gray', icon: <IconQuestionMark size={16} aria-hidden /> },
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
      const { label, color, icon } = states[item.status];
      return (
        <List.Item key={item.name}>
          <Group wrap="nowrap" align="flex-start" gap="sm">
            <ThemeIcon color={color} variant="light" radius="xl" size={26}>
              {icon}
            </ThemeIcon>
            <div>
              <Text size="sm" fw={600}>
                {t(names[item.name])}: {t(label)}
              </Text>
              <Text size="sm">{translatedSentence(item.detail)}</Text>
              {item.status === 'failed' && remedy?.(item)}
            </div>
          </Group>
        </List.Item>
      );
    })}
  </List>
);
