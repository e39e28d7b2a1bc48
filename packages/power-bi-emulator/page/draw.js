import { chartOption } from './charts.js';
import { visualsOf } from './visuals.js';

const find = (selector) => document.querySelector(selector);
let charts = [];

/** Draws the active page: title, slicer, visuals, tabs, and for whom the token was issued. */
export function showReport(session, activate) {
  const { report, theme } = session.opened;
  const visuals = visualsOf(session);
  disposeCharts();
  find('header').hidden = report.reportType === 'PaginatedReport';
  find('h1').textContent = report.name;
  document.title = report.name;
  showSlicer(session, theme, activate);
  find('main').replaceChildren(...arrange(report, visuals));
  showTabs(session, activate);
  showIdentity(session.opened);
  // Last, when the size of every box is final.
  for (const visual of visuals) drawChart(find(`#visual-${visual.name} .chart`), visual, session.theme);
}

export function showBanner(text) {
  const banner = find('.banner');
  banner.textContent = text;
  banner.hidden = text === '';
}

function arrange(report, visuals) {
  const boxes = visuals.map(box);
  if (report.reportType !== 'PaginatedReport') return boxes;
  const title = element('h1', {}, report.name);
  return [element('section', { className: 'paper' }, title, ...boxes)];
}

function box(visual) {
  const title = element('h2', {}, visual.title);
  const className = `visual ${visual.size ?? 'card'}`;
  return element('section', { className, id: `visual-${visual.name}` }, title, visualBody(visual));
}

/** What a visual shows below its title. */
export function visualBody(visual) {
  if (visual.table.length === 0) return element('p', { className: 'notice' }, 'No rows');
  if (visual.type === 'card') return element('strong', {}, String(visual.value));
  if (visual.type === 'tableEx') return element('div', { className: 'scroll' }, tableOf(visual));
  return element('div', { className: 'chart' });
}

function tableOf({ columns, table }) {
  const cell = (tag) => (value, index) => {
    const className = typeof table[0][index] === 'number' ? 'number' : '';
    return element(tag, { className }, value.toLocaleString('en'));
  };
  const head = element('thead', {}, element('tr', {}, ...columns.map(cell('th'))));
  const lines = table.map((line) => element('tr', {}, ...line.map(cell('td'))));
  return element('table', {}, head, element('tbody', {}, ...lines));
}

export function drawChart(place, visual, theme) {
  if (!place) return;
  const chart = window.echarts.init(place, null, { renderer: 'svg' });
  chart.setOption(chartOption(visual, theme?.themeJson?.dataColors));
  charts.push(chart);
}

function showSlicer(session, theme, activate) {
  find('header label span').textContent = theme.category;
  const current = session.filters.find(({ target }) => target?.column === theme.category)?.values?.[0];
  const options = ['All', ...theme.categories].map((name) => element('option', { value: name }, name));
  const select = element('select', { ariaLabel: theme.category }, ...options);
  select.value = current ?? 'All';
  select.addEventListener('change', () => slice(session, theme, select.value, activate));
  find('select').replaceWith(select);
}

function slice(session, theme, value, activate) {
  const target = { table: 'Data', column: theme.category };
  const others = session.filters.filter((filter) => filter.target?.column !== theme.category);
  const mine = { target, operator: 'In', values: [value] };
  session.filters = value === 'All' ? others : [...others, mine];
  activate(session.page.name);
}

function showTabs({ opened, page, config }, activate) {
  const tabs = opened.report.pages.map(({ name, displayName }) => {
    const tab = element('button', { onclick: () => activate(name) }, displayName);
    if (name === page.name) tab.setAttribute('aria-current', 'page');
    return tab;
  });
  const isWanted = config.settings?.panes?.pageNavigation?.visible !== false;
  find('nav').hidden = tabs.length < 2 || !isWanted;
  find('nav').replaceChildren(...tabs);
}

function showIdentity({ identity, access, dataset, workspace, rows }) {
  const who = identity?.username ?? 'none';
  const roles = identity?.roles.length ? ` · roles ${identity.roles.join(', ')}` : '';
  const rest = `${roles} · ${rows.length} rows of ${dataset ?? 'its own data'} · ${workspace} · ${access}`;
  find('footer').hidden = false;
  find('footer').replaceChildren('Effective identity: ', element('b', {}, who), rest);
}

export function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function disposeCharts() {
  for (const chart of charts) chart.dispose();
  charts = [];
}

window.addEventListener('resize', () => charts.forEach((chart) => chart.resize()));
