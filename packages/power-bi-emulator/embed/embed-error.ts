/** An error that the embed page raises as its `error` event. */
export class EmbedError extends Error {
  constructor(
    message: string,
    readonly detailedMessage: string,
    readonly errorCode?: string,
  ) {
    super(message);
  }

  toBody(): Record<string, unknown> {
    const { message, detailedMessage, errorCode } = this;
    return { message, detailedMessage, ...(errorCode && { errorCode }), level: 4 };
  }
}

/** Microsoft's table of embedding errors, verbatim. */
export const embedErrors = {
  expired: () =>
    new EmbedError('TokenExpired', 'Access token has expired, resubmit with a new access token', '403'),
  missing: () => new EmbedError('LoadReportFailed', 'Get report failed', '404'),
  notInToken: () => new EmbedError('LoadReportFailed', 'Get report failed', '403'),
  notGuid: () => new EmbedError('LoadReportFailed', 'Get report failed', '500'),
  badToken: () => new EmbedError('LoadReportFailed', "Fail to initialize - Couldn't resolve cluster", '403'),
  nothingGiven: () => new EmbedError('Invalid parameters', 'powerbiToken parameter not specified'),
  wrongGroup: () => new EmbedError('PowerBINotAuthorizedException', 'Get report failed', '401'),
  capacityPaused: () =>
    new EmbedError('OpenConnectionError', 'ExplorationContainer_FailedToLoadModel_DefaultDetails'),
};
