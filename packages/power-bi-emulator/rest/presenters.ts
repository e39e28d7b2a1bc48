import type { AccessRight, Dataset, Report, Workspace } from '../content/model.js';
import type { Emulator } from '../emulator.js';

type Json = Record<string, unknown>;

/** Fields that not every workspace has, but `$filter` may name. */
export const optionalGroupFields = ['capacityId', 'defaultDatasetStorageFormat', 'dataflowStorageId', 'type'];

/** A workspace in the user API's format. */
export function groupOf(emulator: Emulator, workspace: Workspace): Json {
  return {
    id: workspace.id,
    isReadOnly: false,
    isOnDedicatedCapacity: workspace.capacityId !== undefined,
    ...(workspace.capacityId && {
      capacityId: workspace.capacityId,
      defaultDatasetStorageFormat: workspace.defaultDatasetStorageFormat ?? 'Small',
    }),
    ...(emulator.guess('group_type') === 'present' && { type: 'Workspace' }),
    name: workspace.name,
  };
}

export function reportOf(emulator: Emulator, workspace: Workspace, report: Report): Json {
  const paginated = report.reportType === 'PaginatedReport';
  return {
    id: report.id,
    reportType: report.reportType,
    name: report.name,
    ...(report.description && { description: report.description }),
    ...(report.originalReportId && { originalReportId: report.originalReportId }),
    webUrl: `https://app.powerbi.com/groups/${workspace.id}/${paginated ? 'rdlreports' : 'reports'}/${report.id}`,
    embedUrl: reportEmbedUrl(emulator, workspace, report),
    ...(report.datasetId && { datasetId: report.datasetId }),
    ...(emulator.guess('report_extras') === 'present' && extras(emulator, report)),
  };
}

/** Properties of real responses that the API definition lacks; parsers must tolerate them. */
function extras(emulator: Emulator, report: Report): Json {
  const dataset = report.datasetId && emulator.content.findDataset(report.datasetId);
  return {
    ...(report.reportType === 'PowerBIReport' && { isFromPbix: true, isOwnedByMe: true }),
    ...(dataset && { datasetWorkspaceId: dataset.workspace.id }),
    users: [],
    subscriptions: [],
  };
}

export function reportEmbedUrl(emulator: Emulator, workspace: Workspace, report: Report): string {
  const page = report.reportType === 'PaginatedReport' ? 'rdlEmbed' : 'reportEmbed';
  const plain = `${embedBase(emulator)}/${page}?reportId=${report.id}&groupId=${workspace.id}`;
  return emulator.guess('embed_url_config') === 'present'
    ? `${plain}&w=2&config=${embedConfig(emulator)}`
    : plain;
}

export function embedBase(emulator: Emulator): string {
  return (emulator.settings.embed_url_base ?? emulator.url).replace(/\/$/, '');
}

export function embedConfig(emulator: Emulator): string {
  const config = { clusterUrl: emulator.url, embedFeatures: { modernEmbed: true } };
  return encodeURIComponent(Buffer.from(JSON.stringify(config)).toString('base64'));
}

/** A dataset. Viewers receive only its id and name, so an absent flag means unknown. */
export function datasetOf(emulator: Emulator, dataset: Dataset, right: AccessRight): Json {
  const { id, name } = dataset;
  if (right === 'Viewer') return { id, name };
  const config = embedConfig(emulator);
  return {
    id,
    name,
    addRowsAPIEnabled: false,
    configuredBy: dataset.configuredBy,
    isRefreshable: true,
    isEffectiveIdentityRequired: dataset.isEffectiveIdentityRequired,
    isEffectiveIdentityRolesRequired: dataset.isEffectiveIdentityRolesRequired,
    isOnPremGatewayRequired: dataset.liveConnection === true,
    targetStorageMode: dataset.targetStorageMode ?? emulator.guess('target_storage_mode'),
    ...(dataset.queryScaleOutSettings && { queryScaleOutSettings: dataset.queryScaleOutSettings }),
    createdDate: dataset.createdDate,
    createReportEmbedURL: `${embedBase(emulator)}/reportEmbed?config=${config}`,
    qnaEmbedURL: `${embedBase(emulator)}/qnaEmbed?config=${config}`,
    users: [],
  };
}
