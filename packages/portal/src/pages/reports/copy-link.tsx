import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ToolButton } from './tool-button.js';

/** The address with the page and the saved view, without the mode. */
export function currentLink(): string {
  const url = new URL(location.href);
  url.searchParams.delete('mode');
  return url.href;
}

export function CopyLink() {
  const { t } = useTranslation();
  const { copied, copy } = useClipboard({ timeout: 3000 });
  return (
    <ToolButton
      label={copied ? t('Copied') : t('Copy link')}
      icon={copied ? IconCheck : IconLink}
      onClick={() => copy(currentLink())}
    />
  );
}
