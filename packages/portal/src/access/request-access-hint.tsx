import { useTranslation } from 'react-i18next';

/** For lists of a user without access to anything. */
export function RequestAccessHint() {
  const { t } = useTranslation();
  return <>{t('Open the link to a report or workspace to request access, or contact an administrator.')}</>;
}
