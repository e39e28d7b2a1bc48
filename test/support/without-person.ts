/** Columns that are named like a person and hold none, with the reason. */
export const withoutPerson: Record<string, string> = {
  'access_requests.target_id': 'a workspace or a report',
  'groups.external_id': 'a group at the identity provider',
  'service_account_secrets.user_id': 'a service account',
  'users.has_scim_email': 'whether SCIM sent the address',
  'usage_active_people.viewers': 'a count',
  'usage_report_day.viewers': 'a count',
  'usage_report_month.viewers': 'a count',
  'usage_workspace_day.viewers': 'a count',
  'webhooks.leased_by': 'a replica',
  'usage_state.time_zone': 'the time zone of the figures',
};
