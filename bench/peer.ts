// One user's list of 25 workspaces, compared with the same list in Directus: the same rows on the same server, both on the
// same core, without a response cache.
import { makeBed } from './bed.js';
import { fillCatalogue, grantSome } from './catalogue-rows.js';
import { directusWorkspaces, requireSameWorkspaces, startDirectus } from './directus.js';
import { asked, makePeople, type Person } from './people.js';
import { inTurn, seconds } from './rounds.js';
import { row, tell } from './rows.js';
import { load } from './wrk.js';

const connections = 32;

const bed = await makeBed();
try {
  await fillCatalogue(bed.database, { workspaces: 1000, reportsEach: 100 });
  const [member] = (await makePeople(bed, 1)) as [Person];
  await grantSome(bed.database, member.id, 50);
  const directusUrl = await startDirectus(bed, [member]);
  await requireSameWorkspaces(bed, directusUrl, member);
  const targets = {
    vitrine: { url: bed.url, asks: [asked(member, '/api/workspaces?limit=25')] },
    directus: { url: directusUrl, asks: [directusWorkspaces(member)] },
  };
  for (const target of Object.values(targets)) await load({ ...target, connections, seconds });
  const found = await inTurn(targets, (target) => load({ ...target, connections, seconds }));
  tell([
    row({
      work: 'workspaces, 25, compared with Directus',
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
