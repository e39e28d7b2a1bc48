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
  title: 'Power BI does not find this report',
  text: 'It was deleted or moved there, perhaps just now. It disappears here with the next sync.',
};
const noAccess: Words = {
  title: 'Power BI does not let Vitrine show this report',
  text: 'An administrator has to look at the rights of Vitrine in its workspace in Power BI.',
};
const badToken: Words = {
  title: 'Power BI does not take the permission to show this report',
  text: 'Try again. If it stays so, an administrator can find out why.',
};
const noData: Words = {
  title: 'Power BI does not reach the data of this report',
  text: 'Its capacity may be paused or overloaded. Try again later, or ask an administrator.',
};
const unknownIdentity: Words = {
  title: 'The data of this report does not know you in this role',
  text: 'An administrator has to correct the identity policy of its dataset.',
};

/** Microsoft's messages; some mean one thing or another by their `errorCode`. */
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

/** What a person reads for it. What is not known is shown as Power BI says it. */
export const wordsOfClient = ({ message, detailedMessage, errorCode }: ClientProblem): Words =>
  words[`${message} ${errorCode}`] ??
  words[message] ?? { title: 'Power BI has a problem with this report', text: detailedMessage ?? message };

/** For an administrator, and for Microsoft's support. */
export const codeOfClient = ({ message, errorCode, technicalDetails }: ClientProblem): string =>
  [message, errorCode, technicalDetails?.requestId].filter((part) => part !== undefined).join(' · ');
