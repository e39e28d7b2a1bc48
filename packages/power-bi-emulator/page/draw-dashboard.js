import { disposeCharts, drawChart, element, visualBody } from './draw.js';
import { visualsOf } from './visuals.js';

const find = (selector) => document.querySelector(selector);

/** Draws the tiles of a dashboard; a single tile fills the page. */
export function drawDashboard(opened, { fills, pageView }, click) {
  disposeCharts();
  document.title = opened.dashboard.name;
  find('h1').textContent = opened.dashboard.name;
  find('header').hidden = fills;
  find('header label').hidden = true;
  const main = find('main');
  main.className = fills ? 'single' : `dashboard ${pageView ?? 'fitToWidth'}`;
  const visuals = opened.tiles.map((tile) => [tile, visualOf(opened, tile)]);
  main.replaceChildren(...visuals.map(([tile, visual]) => box(tile, visual, click)));
  if (opened.tiles.length === 0) main.append(element('p', { className: 'notice' }, 'No tiles'));
  showFooter(opened);
  // Last, when the size of every box is final.
  for (const [tile, visual] of visuals) {
    if (visual) drawChart(find(`#tile-${tile.id} .chart`), visual);
  }
}

/** The visual of the report's first page that the tile shows; none for a text or a broken tile. */
function visualOf({ datasets }, { datasetId, visual }) {
  const data = datasets[datasetId];
  if (!data) return null;
  const page = { name: 'ReportSection' };
  const report = { name: data.name, reportType: 'PowerBIReport', pages: [page] };
  const source = {
    opened: { theme: data.theme, rows: data.rows, report },
    filters: [],
    scoped: {},
    ascending: {},
  };
  return visualsOf(source, page).find(({ name }) => name === visual) ?? null;
}

function box(tile, visual, click) {
  const made = element(
    'section',
    { className: 'visual tile', id: `tile-${tile.id}`, onclick: () => click(tile) },
    element('h2', {}, tile.title),
    ...(visual ? [visualBody(visual)] : []),
  );
  // 0 is the size of a tile that was never resized.
  made.style.gridColumn = `span ${tile.colSpan || 2}`;
  made.style.gridRow = `span ${tile.rowSpan || 1}`;
  return made;
}

function showFooter({ identities, workspace, tiles, datasets }) {
  const names = identities.map(({ username, roles }) => [username, ...roles].filter(Boolean).join(' · '));
  const who = names.join(', ') || 'none';
  const count = Object.values(datasets).reduce((sum, { rows }) => sum + rows.length, 0);
  find('footer').hidden = false;
  find('footer').replaceChildren(
    'Effective identity: ',
    element('b', {}, who),
    ` · ${tiles.length} tiles · ${count} rows · ${workspace}`,
  );
}
