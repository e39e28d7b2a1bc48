import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { usageExport } from '../usage/usage-export.js';
import { type ExportFormat, streamExport } from '../core/http/streamed-export.js';
import { ExportUsageQuery } from '../usage/dto/usage-query.dto.js';
import { UsageReportsService } from '../usage/usage-reports.service.js';
import { UsageRollupService } from '../usage/usage-rollup.service.js';
import { validated, withService } from './service.js';

interface Options {
  from?: string;
  to?: string;
  days?: string;
  excludeAdmins?: boolean;
  format: ExportFormat;
}

export const exportDays = (command: Command): Promise<void> =>
  withService(async (app) => {
    const { format, excludeAdmins, ...options } = command.optsWithGlobals<Options & { json: boolean }>();
    const given = Object.fromEntries(
      Object.entries({ ...options, exclude_admins: excludeAdmins === true ? 'true' : undefined }).filter(
        ([name, value]) => name !== 'json' && value !== undefined,
      ),
    );
    const query = await validated(given, ExportUsageQuery);
    await app.get(UsageRollupService).run();
    const reports = app.get(UsageReportsService);
    const file = await streamExport(await usageExport('usage-days', reports.listDays(query)), format);
    await pipeline(file.getStream(), process.stdout, { end: false });
  });
