import type { Request } from 'express';
import type { Workspace } from '../content/model.js';
import type { ImportJob } from '../core/jobs.js';
import type { Emulator } from '../emulator.js';
import { jsonBody } from './json-body.js';
import { coded, entityNotFound, invalidRequest } from './power-bi-error.js';

const conflicts = ['Ignore', 'Abort', 'Overwrite', 'CreateOrOverwrite', 'GenerateUniqueName'];

export type ImportRequest = Pick<ImportJob, 'name' | 'file' | 'skipReport' | 'replaces'>;

/** Throws PowerBiError. */
export function readImportRequest(emulator: Emulator, request: Request, workspace: Workspace): ImportRequest {
  const { datasetDisplayName, nameConflict = 'Ignore', skipReport } = request.query;
  if (typeof datasetDisplayName !== 'string' || datasetDisplayName === '') {
    throw invalidRequest('Parameter datasetDisplayName is missing or invalid');
  }
  if (typeof nameConflict !== 'string' || !conflicts.includes(nameConflict)) {
    throw invalidRequest('Parameter nameConflict is missing or invalid');
  }
  checkFile(emulator, request);
  const file = /\.rdl$/i.test(datasetDisplayName) ? 'rdl' : 'pbix';
  const name = datasetDisplayName.replace(/\.(pbix|rdl|xlsx|json)$/i, '');
  const isDatasetOnly = typeof skipReport === 'string' && skipReport.toLowerCase() === 'true';
  return {
    file,
    skipReport: isDatasetOnly,
    ...resolved(emulator, { workspace, name, file, nameConflict }),
  };
}

/** A multipart body with a file, or the URL of an uploaded one. */
function checkFile(emulator: Emulator, request: Request): void {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(
    request.get('content-type') ?? '',
  )?.[1];
  if (boundary === undefined) {
    const { fileUrl } = jsonBody(emulator, request);
    if (typeof fileUrl !== 'string') throw invalidRequest('The request contains no file');
    const upload = emulator.jobs.uploads.get(fileUrl.split('?')[0]!.split('/').at(-1)!);
    if (!upload?.isComplete) throw entityNotFound(emulator);
    return;
  }
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const start = body.indexOf('\r\n\r\n');
  const end = body.lastIndexOf(`--${boundary}--`);
  if (!body.includes(`--${boundary}`) || start < 0 || end <= start + 6) {
    throw invalidRequest('The request contains no file');
  }
}

interface Wish extends Pick<ImportJob, 'name' | 'file'> {
  workspace: Workspace;
  nameConflict: string;
}

/** What the name conflict means for content that exists. Throws PowerBiError. */
function resolved(
  emulator: Emulator,
  { workspace, name, file, nameConflict }: Wish,
): Pick<ImportRequest, 'name' | 'replaces'> {
  const isSame = (each: { name: string }) => each.name.toLowerCase() === name.toLowerCase();
  const report = workspace.reports.find(
    (each) => isSame(each) && (each.reportType === 'PaginatedReport') === (file === 'rdl'),
  );
  const dataset = file === 'pbix' ? workspace.datasets.find(isSame) : undefined;
  const found = report ?? dataset;
  if (nameConflict === 'Abort' && found) {
    throw coded(Number(emulator.guess('import_conflict')), 'DuplicatePackageFoundError', `${name} exists`);
  }
  if (nameConflict === 'Overwrite' && !found) {
    throw coded(400, 'DuplicatePackageNotFoundError', `${name} does not exist`);
  }
  if (nameConflict === 'GenerateUniqueName' && found) return { name: uniqueName(workspace, name) };
  if (!found || !nameConflict.endsWith('verwrite')) return { name };
  const replaces = { ...(report && { reportId: report.id }), ...(dataset && { datasetId: dataset.id }) };
  return { name, replaces };
}

function uniqueName({ reports, datasets }: Workspace, name: string): string {
  const taken = new Set([...reports, ...datasets].map((each) => each.name));
  let number = 1;
  while (taken.has(`${name} (${number})`)) number += 1;
  return `${name} (${number})`;
}
