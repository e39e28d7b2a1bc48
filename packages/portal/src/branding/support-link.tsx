import { Anchor, type AnchorProps } from '@mantine/core';
import { t } from 'i18next';
import { useBranding } from './branding.js';

/** Opens beside the portal; nothing if the organization has no support link. */
export function SupportLink(props: AnchorProps) {
  const { supportUrl } = useBranding();
  if (supportUrl === null) return null;
  return (
    <Anchor href={supportUrl} target="_blank" rel="noopener noreferrer" {...props}>
      {t('Get support')}
    </Anchor>
  );
}
