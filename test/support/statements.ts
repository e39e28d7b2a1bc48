import { Client as Connection, escapeLiteral } from 'pg';
import { requestContext } from '../../src/core/http/request-context.js';
import type { Service } from './service.js';

export interface Statement {
  text: string;
  values: unknown[];
  /** Whether a request over HTTP sent it, and not a job or a timer. */
  isOfRequest?: boolean;
}

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Function Name'?: string;
  'Plan Rows': number;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Records what the service sends to the database. */
export class Statements {
  // oxlint-disable-next-line typescript/unbound-method -- called with its connection, below
  private readonly plainQuery = Connection.prototype.query as (...args: unknown[]) => unknown;
  private recorded?: Statement[];

  constructor() {
    const { plainQuery } = this;
    const record = (args: unknown[]): void => this.record(args);
    Connection.prototype.query = function query(this: Connection, ...args: unknown[]) {
      record(args);
      return plainQuery.apply(this, args);
    } as Connection['query'];
  }

  /** Those that are sent during the work, also by others. */
  async during(work: () => Promise<unknown>): Promise<Statement[]> {
    const statements: Statement[] = [];
    this.recorded = statements;
    await work();
    this.recorded = undefined;
    return statements;
  }

  close(): void {
    Connection.prototype.query = this.plainQuery as Connection['query'];
  }

  private record([first, second]: unknown[]): void {
    const { text = '', values = [] } =
      typeof first === 'string' ? { text: first } : (first as Partial<Statement>);
    const isOfRequest = (requestContext()?.ip ?? '') !== '';
    this.recorded?.push({
      text,
      values: Array.isArray(second) ? (second as unknown[]) : values,
      isOfRequest,
    });
  }
}

/** A connection that explains statements of the service, however long they take. */
export async function explainingConnection({ environment }: Service): Promise<Connection> {
  const connection = new Connection({
    connectionString: environment.DATABASE_DIRECT_URL ?? environment.DATABASE_URL,
  });
  await connection.connect();
  await connection.query('SET statement_timeout = 0');
  return connection;
}

/** All nodes of the plans of these statements. */
export async function planNodes(explaining: Connection, statements: readonly Statement[]): Promise<Plan[]> {
  const nodes: Plan[] = [];
  for (const { text, values } of statements.filter((each) => /^\s*(SELECT|WITH|DELETE)/i.test(each.text))) {
    const { rows } = await explaining.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({
      text: `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    });
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (plan !== undefined) nodes.push(...nodesOf(plan));
  }
  return nodes;
}

interface Executed {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Executed[];
}

/** The rows that the step of the plan that reads most has read. */
function mostRead(plan: Executed): number {
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0);
  const own = (plan['Actual Rows'] + removed) * plan['Actual Loops'];
  return Math.max(own, ...(plan.Plans ?? []).map(mostRead));
}

type Explained = { 'QUERY PLAN': { Plan: Executed }[] };
const explain = 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)';

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join(',')}}`);
  if (value instanceof Date) return escapeLiteral(value.toISOString());
  return escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Executes the query and takes back its changes; returns the rows that the step of its plan that reads most has read. */
export async function mostRowsRead(explaining: Connection, { text, values }: Statement): Promise<number> {
  await explaining.query('BEGIN');
  const { rows } = await explaining.query<Explained>({ text: `${explain} ${text}`, values });
  await explaining.query('ROLLBACK');
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  return plan === undefined ? 0 : mostRead(plan);
}

/** The same with the plan for any values, which PostgreSQL chooses for a prepared statement that is executed often. */
export async function mostRowsReadPrepared(
  explaining: Connection,
  { text, values }: Statement,
): Promise<number> {
  await explaining.query(`PREPARE often AS ${text}; SET plan_cache_mode = force_generic_plan`);
  const given = values.length === 0 ? '' : `(${values.map(literalOf).join(', ')})`;
  const read = await mostRowsRead(explaining, { text: `EXECUTE often${given}`, values: [] });
  await explaining.query('DEALLOCATE often; RESET plan_cache_mode');
  return read;
}
