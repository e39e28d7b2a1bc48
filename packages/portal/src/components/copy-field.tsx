import { Button, CopyButton, Group, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { t } from 'i18next';

interface Props {
  label: string;
  value: string;
  description?: string;
}

/** A value to copy, which is not shown again. */
export const CopyField = ({ label, value, description }: Props) => (
  <Group align="flex-end" gap="xs" wrap="nowrap">
    <TextInput
      flex={1}
      label={label}
      description={description}
      value={value}
      readOnly
      spellCheck={false}
      styles={{ input: { fontFamily: 'monospace' }, label: { overflowWrap: 'anywhere' } }}
      onFocus={(event) => event.currentTarget.select()}
    />
    <CopyButton value={value} timeout={3000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        >
          {copied ? t('Copied') : t('Copy')}
        </Button>
      )}
    </CopyButton>
  </Group>
);
