import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from '../components/confirm.js';
import { type Format, formats, type useExport } from './use-export.js';

interface Props {
  exporting: ReturnType<typeof useExport>;
  /** What is exported, above the formats. */
  label: string;
  /** Asked before a large export. */
  warning?: { title: string; text: string };
}

/** A button that exports in one of the formats. */
export function ExportMenu({ exporting, label, warning }: Props) {
  const { t } = useTranslation();
  const [pending, setPending] = useState<Format | null>(null);
  const choose = (format: Format): void => {
    // The button is not disabled meanwhile: a disabled button loses the focus.
    if (exporting.isPending) return;
    if (warning === undefined) exporting.mutate(format);
    else setPending(format);
  };
  return (
    <>
      <Menu position="bottom-end" width={260} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            rightSection={<IconChevronDown size={16} aria-hidden />}
          >
            {t('Export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{label}</Menu.Label>
          {(Object.keys(formats) as Format[]).map((format) => (
            <Menu.Item key={format} onClick={() => choose(format)}>
              {formats[format].label}
              <Text size="xs" c="dimmed">
                {t(formats[format].hint)}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        title={warning?.title ?? ''}
        action={t('Export everything')}
        color="blue"
        opened={pending !== null}
        onConfirm={() => {
          if (pending !== null) exporting.mutate(pending);
          setPending(null);
        }}
        onClose={() => setPending(null)}
      >
        {warning?.text}
      </Confirm>
    </>
  );
}
