import { useQuery } from '@tanstack/react-query';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import { membersOf } from '../../api/sources.js';
import { RemoteSelect } from '../../components/remote-select.js';
import { UserPicker } from '../../components/user-picker.js';

interface Props {
  admin: boolean;
  report: string | null;
  value: string | null;
  onChange: (id: string | null) => void;
}

/** Managers see the members of their workspaces only. */
function MemberPicker({ report, ...props }: Omit<Props, 'admin'>) {
  const workspace = useQuery({
    queryKey: ['reports', 'one', report],
    queryFn: ({ signal }) =>
      read(api.GET('/api/reports/{id}', { params: { path: { id: report ?? '' } }, signal })),
    enabled: report !== null,
  }).data?.workspace_id;
  if (workspace === undefined) return null;
  return (
    <RemoteSelect
      {...props}
      label={t('User')}
      placeholder={t('Workspace member')}
      source={membersOf(workspace)}
    />
  );
}

export const PersonPicker = ({ admin, report, ...props }: Props) =>
  admin ? <UserPicker {...props} label={t('User')} programs /> : <MemberPicker {...props} report={report} />;
