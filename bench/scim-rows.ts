import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { laterId } from './catalogue-rows.js';

export const PEOPLE = 100_000;
export const LARGE = 50_000;
export const GROUPS = 200;

/** Half of the people are in one group, and each of the others has 500 of them. */
const memberships = `
  SELECT $1::uuid AS group_id, id AS user_id FROM scim_people WHERE n <= ${LARGE}
  UNION ALL SELECT team.id, person.id FROM scim_teams team JOIN scim_people person ON person.n % ${GROUPS} = team.n`;

/** Fills an empty database as SCIM would. Returns the id of the group of 50,000 people. */
export async function fillScim(database: Client): Promise<string> {
  const large = randomUUID();
  await database.query(
    `SET statement_timeout = 0; SET session_replication_role = replica;
     CREATE TABLE scim_people AS SELECT n, ${laterId('n')} AS id FROM generate_series(1, ${PEOPLE}::int) n;
     CREATE TABLE scim_teams AS SELECT n, ${laterId('n')} AS id FROM generate_series(0, ${GROUPS - 1}::int) n`,
  );
  await database.query(
    `INSERT INTO users (id, email, user_name, external_id, name, role, status, source, created_at)
     SELECT id, 'person' || n || '@vitrine.example', 'person' || n || '@vitrine.example', 'x' || n, 'Person ' || n,
       'member', 'active', 'scim', now() FROM scim_people`,
  );
  await database.query(
    `INSERT INTO groups (id, name, external_id, source, created_at)
     SELECT $1::uuid, 'Everyone', 'everyone', 'scim', now()
     UNION ALL SELECT id, 'Team ' || n, 'team' || n, 'scim', now() FROM scim_teams`,
    [large],
  );
  await database.query(
    `INSERT INTO group_edges (group_id, user_id, source, created_at)
     SELECT group_id, user_id, 'scim', now() FROM (${memberships}) AS membership`,
    [large],
  );
  await database.query('INSERT INTO group_closure (inner_id, outer_id) SELECT id, id FROM groups');
  await database.query('RESET session_replication_role');
  await database.query('VACUUM ANALYZE');
  return large;
}
