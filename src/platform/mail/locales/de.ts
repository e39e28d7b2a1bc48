/** German texts of mails by their English texts. */
export const german: Record<string, string> = {
  'Hello {{name}},': 'Hallo {{name}},',
  '{{requester}} requested access to {{target}}': '{{requester}} bittet um Zugriff auf {{target}}',
  '{{requester}} ({{email}}) requested access to the workspace "{{workspace}}" on {{product}}.':
    '{{requester}} ({{email}}) bittet um Zugriff auf den Arbeitsbereich „{{workspace}}“ in {{product}}.',
  '{{requester}} ({{email}}) requested access to the report "{{report}}" in the workspace "{{workspace}}" on {{product}}.':
    '{{requester}} ({{email}}) bittet um Zugriff auf den Bericht „{{report}}“ im Arbeitsbereich „{{workspace}}“ in {{product}}.',
  'service account': 'Dienstkonto',
  'Reason: {{reason}}': 'Begründung: {{reason}}',
  'Review request': 'Anfrage prüfen',
  'You received this email because you manage this workspace or administer {{product}}. Another manager may decide first.':
    'Sie erhalten diese E-Mail, weil Sie diesen Arbeitsbereich verwalten oder {{product}} administrieren. Eine andere Person kann vor Ihnen entscheiden.',
  'You received this email because you requested access on {{product}}.':
    'Sie erhalten diese E-Mail, weil Sie in {{product}} Zugriff angefordert haben.',
  'Your access request was declined': 'Ihre Zugriffsanfrage wurde abgelehnt',
  'Your request for access to a workspace on {{product}} was declined.':
    'Ihre Anfrage auf Zugriff auf einen Arbeitsbereich in {{product}} wurde abgelehnt.',
  'Your request for access to a report on {{product}} was declined.':
    'Ihre Anfrage auf Zugriff auf einen Bericht in {{product}} wurde abgelehnt.',
  'Open {{product}}': '{{product}} öffnen',
  'You now have access to {{target}}': 'Sie haben jetzt Zugriff auf {{target}}',
  'Your request for access to "{{target}}" on {{product}} was approved.':
    'Ihre Anfrage auf Zugriff auf „{{target}}“ in {{product}} wurde genehmigt.',
  'Open workspace': 'Arbeitsbereich öffnen',
  'Open report': 'Bericht öffnen',
  'The webhook to {{host}} is disabled': 'Der Webhook an {{host}} ist deaktiviert',
  '{{product}} disabled the webhook to {{host}}, because the receiver reported that it no longer exists (410).':
    '{{product}} hat den Webhook an {{host}} deaktiviert, weil der Empfänger meldet, dass es ihn nicht mehr gibt (410).',
  '{{product}} disabled the webhook to {{host}}, because every delivery has failed since {{since}}.':
    '{{product}} hat den Webhook an {{host}} deaktiviert, weil seit dem {{since}} jede Zustellung fehlgeschlagen ist.',
  'When you enable it, the events that were not delivered are delivered in order. Events are kept for 30 days.':
    'Wenn Sie ihn aktivieren, werden die nicht zugestellten Ereignisse der Reihe nach zugestellt. Ereignisse werden 30 Tage aufbewahrt.',
  'Review webhooks': 'Webhooks prüfen',
  'You received this email because you administer {{product}}.':
    'Sie erhalten diese E-Mail, weil Sie {{product}} administrieren.',
  'Hello,': 'Hallo,',
  '{{number}} more': '{{number}} weiteren',
  'and {{number}} more': 'und {{number}} weitere',
  'You were invited to {{product}}': 'Sie wurden zu {{product}} eingeladen',
  '{{inviter}} invited you to {{product}}': '{{inviter}} hat Sie zu {{product}} eingeladen',
  'You were invited to {{target}} on {{product}}': 'Sie wurden zu {{target}} in {{product}} eingeladen',
  '{{inviter}} invited you to {{target}} on {{product}}':
    '{{inviter}} hat Sie zu {{target}} in {{product}} eingeladen',
  'Accept the invitation to activate your account and view the reports.':
    'Nehmen Sie die Einladung an, um Ihr Konto zu aktivieren und die Berichte anzuzeigen.',
  'Message: {{message}}': 'Nachricht: {{message}}',
  '{{inviter}} wrote: {{message}}': '{{inviter}} schreibt: {{message}}',
  'You get access to:': 'Sie erhalten Zugriff auf:',
  'Workspace {{name}}: {{role}}': 'Arbeitsbereich {{name}}: {{role}}',
  'Report {{name}}: {{role}}': 'Bericht {{name}}: {{role}}',
  'What the group {{name}} can access': 'Alles, worauf die Gruppe {{name}} Zugriff hat',
  'All workspaces and settings, as an administrator':
    'Alle Arbeitsbereiche und Einstellungen, als Administrator',
  '{{access}}, until {{time}}': '{{access}}, bis {{time}}',
  Viewer: 'Betrachter',
  Editor: 'Bearbeiter',
  Manager: 'Manager',
  'Accept invitation': 'Einladung annehmen',
  'The link can be used once and expires on {{time}}. If you did not expect this invitation, you can ignore this email.':
    'Der Link kann einmal verwendet werden und läuft am {{time}} ab. Wenn Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren.',
  'Sign in with your existing account to view the reports.':
    'Melden Sie sich mit Ihrem bestehenden Konto an, um die Berichte anzuzeigen.',
  'If you did not expect this invitation, you can ignore this email.':
    'Wenn Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren.',
  'Your account is disabled. Contact an administrator to enable it.':
    'Ihr Konto ist deaktiviert. Wenden Sie sich an einen Administrator, um es zu aktivieren.',
  'Reset your password for {{product}}': 'Passwort für {{product}} zurücksetzen',
  'A password reset was requested for your account on {{product}}.':
    'Für Ihr Konto in {{product}} wurde das Zurücksetzen des Passworts angefordert.',
  'Reset password': 'Passwort zurücksetzen',
  'The link can be used once and expires in 30 minutes. If you did not request a password reset, you can ignore this email.':
    'Der Link kann einmal verwendet werden und läuft in 30 Minuten ab. Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.',
  'Your password was changed': 'Ihr Passwort wurde geändert',
  'The password for your account on {{product}} was changed on {{time}}.':
    'Das Passwort für Ihr Konto in {{product}} wurde am {{time}} geändert.',
  'If you made this change, no action is required. If you did not, reset your password immediately.':
    'Wenn Sie das waren, müssen Sie nichts tun. Andernfalls setzen Sie Ihr Passwort sofort zurück.',
  'Your email address was changed': 'Ihre E-Mail-Adresse wurde geändert',
  'The email address of your account on {{product}} was changed on {{time}}. Sign in with the new address.':
    'Die E-Mail-Adresse Ihres Kontos in {{product}} wurde am {{time}} geändert. Melden Sie sich mit der neuen Adresse an.',
  'If you do not expect this change, contact your administrator immediately.':
    'Wenn Sie diese Änderung nicht erwarten, wenden Sie sich sofort an Ihren Administrator.',
  'Someone opened this invitation with an account that has another email address. If it was you, open this link and sign in with that account to add the invitation to it. The previous link no longer works.':
    'Jemand hat diese Einladung mit einem Konto geöffnet, das eine andere E-Mail-Adresse hat. Wenn Sie das waren, öffnen Sie diesen Link und melden Sie sich mit diesem Konto an, um die Einladung hinzuzufügen. Der bisherige Link funktioniert nicht mehr.',
};
