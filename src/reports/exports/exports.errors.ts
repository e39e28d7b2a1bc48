import { Problem, problem } from '../../core/problems/problem.js';

/** Also thrown for an export of another person. */
export class ExportNotFound extends problem('export_not_found', 'You have no export with this id.') {}

/** Also thrown for a used or unknown ticket. */
export class ExportLinkInvalid extends problem(
  'export_not_found',
  'This download link has been used or has expired. Request a new one.',
) {}

export class ExportNotReady extends Problem {
  constructor(status: string) {
    super('export_not_ready', `The export has the status ${status}: it has no file.`);
  }
}

export class ExportExpired extends problem(
  'export_expired',
  'The file of this export has been deleted. Request a new export.',
) {}

/** The policy of the dataset, or an attribute that it uses, is no longer as at the start. */
export class ExportIdentityChanged extends problem(
  'export_expired',
  'The data that you can see has changed since the export. Request a new export.',
) {}

export class ExportNotAllowed extends problem(
  'access_denied',
  'Exporting this report requires the editor role, or a workspace that allows exports by viewers.',
) {}

export class TooManyExports extends Problem {
  constructor(limit: number) {
    super('too_many_exports', `You have ${limit} exports in progress. Wait for one to end, or cancel one.`);
  }
}

export class TooManyDownloads extends Problem {
  constructor(limit: number) {
    super('rate_limited', `You download ${limit} files at the same time. Wait for one to end.`, {
      retryAfter: 10,
    });
  }
}

export class ExportTimedOut extends problem(
  'export_timed_out',
  'Power BI did not complete the export in time. Try fewer pages.',
) {}

/** Microsoft's own code helps an administrator; its message may name content. */
export class ExportFailed extends Problem {
  constructor(upstreamCode: string | undefined) {
    const code = /^\w{1,80}$/.test(upstreamCode ?? '') ? ` (${upstreamCode})` : '';
    super('power_bi_export_failed', `Power BI could not export the report${code}.`);
  }
}

export class ExportedPageMissing extends Problem {
  constructor(page: string) {
    super('power_bi_export_failed', `The report has no page ${JSON.stringify(page)}.`);
  }
}

export class ExportInterrupted extends problem(
  'internal_error',
  'The export failed because of an internal error. Try again.',
) {}
