import { Client as Connection } from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
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
    this.recorded?.push({ text, values: Array.isArray(second) ? (second as unknown[]) : values });
  }
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
