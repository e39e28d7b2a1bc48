import { t } from 'i18next';
import { api } from '../../api/client.js';
import { Section } from '../../components/section.js';
import { DownloadJson, personalDataFile } from '../../export/download-json.js';
import type { User } from './use-user.js';

export const PersonalData = ({ user }: { user: User }) => (
  <Section
    title={t('Personal data')}
    lead={t(
      'Everything that is stored about this user, as a JSON file. The download is recorded in the audit log.',
    )}
  >
    <DownloadJson
      label={t('Download personal data')}
      fileName={personalDataFile(user.id)}
      request={(options) =>
        api.GET('/api/users/{id}/export', { params: { path: { id: user.id } }, ...options })
      }
    />
  </Section>
);
