import { msg } from '../i18n/index.js';

/** The body of an `error` event of Power BI's client. */
export interface ClientProblem {
  message: string;
  detailedMessage?: string;
  errorCode?: string;
  technicalDetails?: { requestId?: string };
}

interface ClientTexts {
  title: string;
  text: string;
}

const missing: ClientTexts = {
  title: msg('Report not found in Power BI'),
  text: msg('It was deleted or moved in Power BI. The next sync removes it from this list.'),
};
const noAccess: ClientTexts = {
  title: msg('Power BI denied access to this report'),
  text: msg(
    'An administrator must check the permissions of the service principal in the workspace in Power BI.',
  ),
};
const badToken: ClientTexts = {
  title: msg('Power BI rejected the embed token'),
  text: msg('Try again. If the problem persists, contact an administrator.'),
};
const noData: ClientTexts = {
  title: msg('The data of this report is unavailable'),
  text: msg('The capacity may be paused or overloaded. Try again later, or contact an administrator.'),
};
const unknownIdentity: ClientTexts = {
  title: msg('Your identity is not known in the data of this report'),
  text: msg('An administrator must correct the row-level security of the dataset.'),
};

/** Microsoft's messages; some have two meanings, distinguished by `errorCode`. */
const texts: Record<string, ClientTexts> = {
  LoadReportFailed: badToken,
  'LoadReportFailed 404': missing,
  PowerBIEntityNotFound: missing,
  PowerBINotAuthorizedException: noAccess,
  OpenConnectionError: noData,
  ExplorationContainer_FailedToLoadModel_DefaultDetails: noData,
  QueryUserError: unknownIdentity,
  'Invalid parameters': badToken,
};

export const isTokenExpired = ({ message }: ClientProblem): boolean => /TokenExpired/i.test(message);

/** To be translated. An unknown problem has Power BI's own text. */
export const textsOfClient = ({ message, detailedMessage, errorCode }: ClientProblem): ClientTexts =>
  texts[`${message} ${errorCode}`] ??
  texts[message] ?? {
    title: msg('Power BI reported a problem with this report'),
    text: detailedMessage ?? message,
  };

/** For an admin, and for Microsoft's support. */
export const codeOfClient = ({ message, errorCode, technicalDetails }: ClientProblem): string =>
  [message, errorCode, technicalDetails?.requestId].filter((part) => part !== undefined).join(' · ');
