import { sameId } from '../../content/content.js';
import { findDashboard } from '../../content/dashboards.js';
import type { PastActivity, Workspace } from '../../content/model.js';
import type { Activity } from '../../core/activity-log.js';
import { demoTenant } from '../../demo-tenant.js';
import type { Emulator } from '../../emulator.js';

/** An event with Microsoft's property names. */
export interface ActivityEvent {
  Activity: string;
  CreationTime: string;
  UserId: string;
  [property: string]: unknown;
}

/** All events that are visible by now, in no particular order. */
export function activityEvents(emulator: Emulator): { at: number; event: ActivityEvent }[] {
  const until = emulator.clock.now().getTime() - emulator.settings.activity_delay_seconds * 1000;
  const past = emulator.content.activities.map((each, index) => pastEvent(emulator, each, index));
  const recorded = emulator.activities.list().map((each) => ({ at: each.at, each }));
  return [...past, ...recorded.map(({ at, each }) => ({ at, event: eventOf(emulator, each) }))].filter(
    ({ at }) => at <= until,
  );
}

function pastEvent(emulator: Emulator, given: PastActivity, index: number) {
  const { minutesAgo = 0, CreationTime, UserId = 'dana@vitrine.example', ...rest } = given;
  const at = CreationTime === undefined ? emulator.loadedAt - minutesAgo * 60_000 : timeOf(CreationTime);
  const event: ActivityEvent = {
    Id: `deadbeef-0000-4000-9000-${index.toString(16).padStart(12, '0')}`,
    CreationTime: CreationTime ?? timeText(at),
    Operation: rest.Activity,
    ...common(UserId),
    ...named(emulator, rest),
    ...rest,
  };
  return { at, event };
}

/** The examples of the definition have times without a time zone: they are UTC. */
function timeOf(text: string): number {
  return Date.parse(/Z$|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
}

function eventOf(emulator: Emulator, entry: Activity): ActivityEvent {
  const { at, activity, clientId, objectId, upn, requestId, embedTokenId } = entry;
  const appId = emulator.guess('activity_user') === 'client_id' ? clientId : (objectId ?? clientId);
  const withToken = embedTokenId && emulator.guess('activity_extras') === 'present';
  const ids = {
    ...(entry.workspaceId && { WorkspaceId: entry.workspaceId }),
    ...(entry.reportId && { ReportId: entry.reportId }),
    ...(entry.datasetId && { DatasetId: entry.datasetId }),
    ...(entry.dashboardId && { DashboardId: entry.dashboardId }),
  };
  return {
    Id: requestId,
    CreationTime: timeText(at),
    Operation: activity,
    Activity: activity,
    ...common(upn ?? appId),
    ...ids,
    ...named(emulator, ids),
    ...(withToken && { EmbedTokenId: embedTokenId }),
    RequestId: requestId,
    ActivityId: requestId,
  };
}

function common(userId: string) {
  return {
    RecordType: 20,
    OrganizationId: demoTenant.tenantId,
    UserType: 0,
    UserKey: userId,
    Workload: 'PowerBI',
    UserId: userId,
    ClientIP: '127.0.0.1',
    UserAgent: 'emulator',
    IsSuccess: true,
  };
}

/** Names of the items, and the item that the event is about. */
function named(emulator: Emulator, ids: Record<string, unknown>): Record<string, unknown> {
  const { content } = emulator;
  const report = typeof ids.ReportId === 'string' ? content.findReport(ids.ReportId) : undefined;
  const dataset = typeof ids.DatasetId === 'string' ? content.findDataset(ids.DatasetId) : undefined;
  const board = typeof ids.DashboardId === 'string' ? findDashboard(content, ids.DashboardId) : undefined;
  const placed = report ?? board ?? dataset;
  const workspace =
    placed?.workspace ??
    (typeof ids.WorkspaceId === 'string' ? content.findWorkspace(ids.WorkspaceId) : undefined);
  return {
    ...(workspace && workspaceNames(emulator, workspace)),
    ...(report && { ReportName: report.item.name, ReportType: report.item.reportType }),
    ...(report && { ArtifactId: report.item.id, ArtifactName: report.item.name, ArtifactKind: 'Report' }),
    ...(board && { DashboardName: board.item.displayName, ArtifactKind: 'Dashboard' }),
    ...(board && { ArtifactId: board.item.id, ArtifactName: board.item.displayName }),
    ...(dataset && { DatasetName: dataset.item.name }),
    ...(dataset && !report && !board && { ArtifactId: dataset.item.id, ArtifactKind: 'Dataset' }),
  };
}

function workspaceNames({ content }: Emulator, { id, name, capacityId }: Workspace) {
  const capacity = content.capacities.find((each) => sameId(each.id, capacityId));
  return {
    WorkspaceId: id,
    WorkSpaceName: name,
    ...(capacity && { CapacityId: capacity.id, CapacityName: capacity.displayName }),
  };
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
