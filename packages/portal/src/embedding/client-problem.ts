import { msg } from '../i18n/index.js';

/** The body of an `error` event of Power BI's client. */
export interface ClientProblem {
  message: string;
  detailedMessage?: string;
  errorCode?: string;
  technicalDetails?: { requestId?: string };
}

interface Words {
  title: string;
  text: string;
}

const missing: Words = {
  title: msg('Report not found in Power BI'),
  text: msg('It was deleted or moved in Power BI. The next sync removes it from this list.'),
};
const noAccess: Words = {
  title: msg('Power BI denied access to this report'),
  text: msg(
    'An administrator must check the permissions of the service principal in the workspace in Power BI.',
  ),
};
const badToken: Words = {
  title: msg('Power BI rejected the embed token'),
  text: msg('Try again. If the problem persists, contact an administrator.'),
};
const noData: Words = {
  title: msg('The data of this report is unavailable'),
  text: msg('The capacity may be paused or overloaded. Try again later, or contact an administrator.'),
};
const unknownIdentity: Words = {
  title: msg('Your identity is not known in the data of this report'),
  text: msg('An administrator must correct the row-level security of the dataset.'),
};

/** Microsoft's messages; some have two meanings, distinguished by `errorCode`. */
const words: Record<string, Words> = {
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
export const wordsOfClient = ({ message, detailedMessage, errorCode }: ClientProblem): Words =>
  words[`${message} ${errorCode}`] ??
  words[message] ?? {
    title: msg('Power BI reported a problem with this report'),
    text: detailedMessage ?? message,
  };

/** For an admin, and for Microsoft's support. */
export const codeOfClient = ({ message, errorCode, technicalDetails }: ClientProblem): string =>
  [message, errorCode, technicalDetails?.requestId].filter((part) => part !== undefined).join(' · ');
