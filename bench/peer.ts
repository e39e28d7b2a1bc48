// A person's list of 25 workspaces beside the same list of Directus: the same rows on the same server, each on the same
// core, and nothing kept of what was answered.
import { makeBed } from './bed.js';
import { fillCatalogue, grantSome } from './catalogue-rows.js';
import { startDirectus } from './directus.js';
import { askJson } from './parts.js';
import { asked, makePeople, type Person } from './people.js';
import { inTurn, seconds } from './rounds.js';
import { row, tell } from './rows.js';
import { load } from './wrk.js';

const connections = 32;
const token = 'a-static-token-for-one-benchmark';

interface Named {
  name: string;
}

const names = (items: readonly Named[]): string => items.map(({ name }) => name).join('\n');

const bed = await makeBed();
try {
  await fillCatalogue(bed.database, { workspaces: 1000, reportsEach: 100 });
  const [member] = (await makePeople(bed, 1)) as [Person];
  await grantSome(bed.database, member.id, 50);
  const directusUrl = await startDirectus(bed, member, token);
  const vitrine = asked(member, '/api/workspaces?limit=25');
  const directus = asked(
    { token },
    '/items/workspaces?limit=25&sort=name&fields=id,name,pbi_workspace_id,report_count',
  );
  const ours = await askJson<{ workspaces: Named[] }>(`${bed.url}${vitrine.path}`, member.token);
  const theirs = await askJson<{ data: Named[] }>(`${directusUrl}${directus.path}`, token);
  if (ours.workspaces.length !== 25 || names(ours.workspaces) !== names(theirs.data)) {
    throw new Error('They do not answer the same list');
  }
  const targets = {
    vitrine: { url: bed.url, asks: [vitrine] },
    directus: { url: directusUrl, asks: [directus] },
  };
  for (const target of Object.values(targets)) await load({ ...target, connections, seconds });
  const found = await inTurn(targets, (target) => load({ ...target, connections, seconds }));
  tell([
    row({
      work: 'workspaces, 25, beside Directus',
      figures: {
        'vitrine, a second': found.vitrine.per_second,
        'Directus, a second': found.directus.per_second,
        'vitrine, p99 ms': found.vitrine.p99_ms,
        'Directus, p99 ms': found.directus.p99_ms,
      },
      ratio: found.vitrine.per_second.median / found.directus.per_second.median,
      goal: { atLeast: 10, aim: 14, unit: '× Directus' },
    }),
  ]);
} finally {
  await bed.close();
}
