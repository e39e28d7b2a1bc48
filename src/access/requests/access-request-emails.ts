import type { EmailContent } from '../../platform/mail/email-template.js';
import type { MailReader } from '../../platform/mail/mail-reader.js';
import type { ListedAccessRequest } from './access-requests.queries.js';

interface AccessRequestMail {
  request: ListedAccessRequest;
  /** The recipient's name. */
  name: string;
}

/** To a manager or admin who decides the request. */
export function requestEmail(
  { t, product, publicUrl }: MailReader,
  { request, name }: AccessRequestMail,
): EmailContent {
  const { requesterName: requester, requesterEmail, workspaceName: workspace, reportName } = request;
  const email = requesterEmail ?? t('service account');
  const values = { requester, email, workspace, report: reportName, product };
  return {
    subject: t('{{requester}} requested access to {{target}}', {
      requester,
      target: reportName ?? workspace,
    }),
    paragraphs: [
      t('Hello {{name}},', { name }),
      reportName === null
        ? t(
            '{{requester}} ({{email}}) requested access to the workspace "{{workspace}}" on {{product}}.',
            values,
          )
        : t(
            '{{requester}} ({{email}}) requested access to the report "{{report}}" in the workspace "{{workspace}}" on {{product}}.',
            values,
          ),
      ...(request.reason === null ? [] : [t('Reason: {{reason}}', { reason: request.reason })]),
    ],
    action: t('Review request'),
    link: `${publicUrl}/access-requests?id=${request.id}`,
    closing: t(
      'You received this email because you manage this workspace or administer {{product}}. Another manager may decide first.',
      { product },
    ),
  };
}

/** To the requester. A declined request does not reveal the name of its target. */
export function resultEmail(
  { t, product, publicUrl }: MailReader,
  { request, name }: AccessRequestMail,
): EmailContent {
  const { workspaceName: workspace, reportName: report, reportId } = request;
  const greeting = t('Hello {{name}},', { name });
  const closing = t('You received this email because you requested access on {{product}}.', { product });
  if (request.status === 'declined')
    return {
      subject: t('Your access request was declined'),
      paragraphs: [
        greeting,
        reportId === null
          ? t('Your request for access to a workspace on {{product}} was declined.', { product })
          : t('Your request for access to a report on {{product}} was declined.', { product }),
      ],
      action: t('Open {{product}}', { product }),
      link: publicUrl,
      closing,
    };
  const target = report ?? workspace;
  return {
    subject: t('You now have access to {{target}}', { target }),
    paragraphs: [
      greeting,
      t('Your request for access to "{{target}}" on {{product}} was approved.', { target, product }),
    ],
    action: reportId === null ? t('Open workspace') : t('Open report'),
    link:
      reportId === null
        ? `${publicUrl}/workspaces/${request.workspaceId}`
        : `${publicUrl}/reports/${reportId}`,
    closing,
  };
}
