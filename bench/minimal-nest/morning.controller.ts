import {
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Query,
  Req,
  UseGuards,
} from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { Type } from 'class-transformer';
import { IsInt, IsUUID, Max, Min } from 'class-validator';
import { Pool } from 'pg';
import { read } from '../floor-parts.js';
import { issueToken, PAGE, report, reports, tokenValues, workspaces } from '../morning-statements.js';
import type { User } from './session.strategy.js';

class ListQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit!: number;
}

class ReportParams {
  @IsUUID()
  id!: string;
}

interface SignedIn {
  user: User;
}

/** The four requests of a morning, as a minimal Nest app serves them. */
@Controller('api')
@UseGuards(AuthGuard('jwt'))
export class MorningController {
  private readonly embedToken = read<object>('BODY_FILE');

  constructor(private readonly pool: Pool) {}

  @Get('workspaces')
  async listWorkspaces(@Req() { user }: SignedIn, @Query() _query: ListQuery): Promise<object> {
    const { rows } = await this.pool.query<object>({ ...workspaces, values: [user.id] });
    return { workspaces: rows.slice(0, PAGE) };
  }

  @Get('reports')
  async listReports(@Req() { user }: SignedIn, @Query() _query: ListQuery): Promise<object> {
    const { rows } = await this.pool.query<object>({ ...reports, values: [user.id] });
    return { reports: rows.slice(0, PAGE) };
  }

  @Get('reports/:id')
  async getReport(@Req() { user }: SignedIn, @Param() { id }: ReportParams): Promise<object> {
    const { rows } = await this.pool.query<object>({ ...report, values: [user.id, id] });
    return this.found(rows[0]);
  }

  @Post('reports/:id/embed-token')
  @HttpCode(200)
  async issueToken(@Req() { user }: SignedIn, @Param() { id }: ReportParams): Promise<object> {
    const { rows } = await this.pool.query<object>({ ...issueToken, values: tokenValues(user.id, id) });
    this.found(rows[0]);
    return this.embedToken;
  }

  private found(row: object | undefined): object {
    if (row === undefined) throw new NotFoundException();
    return row;
  }
}
