import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.js';
import { DownloadJson, personalDataFile } from '../../export/download-json.js';
import type { Me } from '../../session/use-session.js';
import { Section } from './section.js';

export function OwnData({ me }: { me: Me }) {
  const { t } = useTranslation();
  return (
    <Section title={t('Your data')} lead={t('Everything that is stored about you, as a JSON file.')}>
      <DownloadJson
        label={t('Download my data')}
        fileName={personalDataFile(me.id)}
        request={(options) => api.GET('/api/users/me/export', { ...options })}
      />
    </Section>
  );
}
