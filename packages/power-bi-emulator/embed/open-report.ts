import { sameId, type Placed } from '../content/content.js';
import type { Dataset, Report } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import { themes } from './demo-data.js';
import { recordView } from './record-view.js';
import { EmbedError, embedErrors } from './embed-error.js';
import { openEmbedToken, type EmbedGrant } from './embed-token.js';
import { identityFor, UnknownRole, visibleRows } from './row-security.js';

/** The fields of `/report/load` that the server reads. */
export interface LoadRequest {
  accessToken?: unknown;
  tokenType?: unknown;
  id?: unknown;
  groupId?: unknown;
}

const embedTokenType = 1;
export const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The report that the token grants access to, with the rows visible to its identity. Throws EmbedError. */
export async function openReport(emulator: Emulator, request: LoadRequest): Promise<object> {
  const { grant, secondsLeft } = await checkToken(emulator, request.accessToken, request.tokenType);
  const { item: report, workspace } = findReport(emulator, request, grant);
  const dataset = report.datasetId ? emulator.content.findDataset(report.datasetId)?.item : undefined;
  if (emulator.content.findCapacity(workspace.capacityId)?.state === 'Suspended') {
    throw embedErrors.capacityPaused();
  }
  const identity = identityFor(dataset, grant);
  const rows = rowsFor(dataset, identity);
  recordView(emulator, 'ViewReport', grant, { workspaceId: workspace.id, reportId: report.id });
  return {
    report: { id: report.id, name: report.name, reportType: report.reportType, pages: report.pages },
    workspace: workspace.name,
    dataset: dataset?.name,
    theme: themes[dataset?.data ?? 'sales'],
    identity: identity && {
      username: identity.username,
      roles: identity.roles ?? [],
      customData: identity.customData,
    },
    access: grant.reports.find(({ id }) => sameId(id, report.id))?.allowEdit ? 'Edit' : 'View',
    rows,
    never_renders: rows.length === 0 && emulator.guess('unmatched_username') === 'spinner',
    expires_in: secondsLeft,
    reload_after_expiry: emulator.guess('renewal_after_expiry') === 'reload_needed',
  };
}

/** Checks that a token is valid for a report and returns its remaining seconds. Throws EmbedError. */
export async function checkReport(emulator: Emulator, request: LoadRequest): Promise<{ expires_in: number }> {
  const { grant, secondsLeft } = await checkToken(emulator, request.accessToken, request.tokenType);
  findReport(emulator, request, grant);
  return { expires_in: secondsLeft };
}

export async function checkToken(
  emulator: Emulator,
  token: unknown,
  tokenType: unknown,
): Promise<{ grant: EmbedGrant; secondsLeft: number }> {
  if (typeof token !== 'string' || token === '') throw embedErrors.nothingGiven();
  if (tokenType !== embedTokenType) throw embedErrors.badToken();
  const opened = await openEmbedToken(emulator, token);
  if (opened === 'expired') throw embedErrors.expired();
  if (opened === 'invalid') throw embedErrors.badToken();
  return { grant: opened.grant, secondsLeft: opened.expires - emulator.clock.now().getTime() / 1000 };
}

function findReport(emulator: Emulator, { id, groupId }: LoadRequest, grant: EmbedGrant): Placed<Report> {
  if (typeof id !== 'string' || id === '') throw embedErrors.nothingGiven();
  if (!guid.test(id)) throw embedErrors.notGuid();
  const found = emulator.content.findReport(id);
  if (!found) throw embedErrors.missing();
  if (!grant.reports.some((each) => sameId(each.id, id))) throw embedErrors.notInToken();
  if (typeof groupId === 'string' && !sameId(groupId, found.workspace.id)) throw embedErrors.wrongGroup();
  return found;
}

export function rowsFor(dataset: Dataset | undefined, identity: ReturnType<typeof identityFor>) {
  try {
    return visibleRows(dataset, identity);
  } catch (error) {
    if (!(error instanceof UnknownRole)) throw error;
    throw new EmbedError('QueryUserError', `The role '${error.message}' is not defined in the model.`);
  }
}
