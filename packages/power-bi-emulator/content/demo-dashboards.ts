import { dashboardsFrom } from './dashboards.js';
import type { DemoWorkspace } from './demo-catalogue.js';
import { idOf } from './ids.js';
import type { Dashboard, Tile, TileVisual } from './model.js';

/** A tile is a visual of a report, or a text. */
interface DemoTile {
  title: string;
  report?: string;
  visual?: TileVisual;
  /** Columns and rows that it spans. */
  size?: [number, number];
}

interface DemoDashboard {
  displayName: string;
  tiles: DemoTile[];
}

/** By name of the workspace. */
const demo: Record<string, DemoDashboard[]> = {
  Sales: [
    {
      displayName: 'Sales at a glance',
      tiles: [
        { title: 'Revenue', report: 'Revenue overview', visual: 'total' },
        { title: 'Orders', report: 'Revenue overview', visual: 'count' },
        { title: 'Revenue by month', report: 'Revenue overview', visual: 'trend', size: [4, 2] },
        { title: 'Product mix', report: 'Product mix', visual: 'share', size: [2, 2] },
        { title: 'Pipeline by region', report: 'Pipeline', visual: 'by-category', size: [3, 2] },
        { title: 'Figures of the current year, unaudited' },
      ],
    },
    {
      // Its token needs an identity for each of the two datasets.
      displayName: 'My sales',
      tiles: [
        { title: 'My revenue', report: 'My customers', visual: 'total' },
        { title: 'My customers', report: 'My customers', visual: 'by-detail', size: [3, 2] },
        { title: 'My region', report: 'My region', visual: 'by-category', size: [3, 2] },
      ],
    },
  ],
  Finance: [
    {
      displayName: 'Month-end',
      tiles: [
        { title: 'Amount', report: 'Profit and loss', visual: 'total' },
        { title: 'Cost centres', report: 'Profit and loss', visual: 'by-category', size: [3, 2] },
        { title: 'Cash flow', report: 'Cash flow', visual: 'trend', size: [4, 2] },
      ],
    },
  ],
  Operations: [
    {
      displayName: 'Plant floor',
      tiles: [
        { title: 'Delivered', report: 'Delivery performance', visual: 'total' },
        { title: 'Plants', report: 'Plant utilisation', visual: 'by-category', size: [3, 2] },
      ],
    },
    { displayName: 'Empty dashboard', tiles: [] },
  ],
  People: [
    {
      displayName: 'Headcount',
      tiles: [{ title: 'Departments', report: 'Headcount', visual: 'by-category', size: [3, 2] }],
    },
  ],
  Trials: [
    {
      displayName: 'Trial board',
      tiles: [{ title: 'Trial revenue', report: 'Trial dashboard', visual: 'total' }],
    },
  ],
  Partners: [
    {
      displayName: 'Partner board',
      tiles: [{ title: 'Partner revenue', report: 'Partner scorecard', visual: 'total' }],
    },
  ],
  Board: [
    { displayName: 'Board figures', tiles: [{ title: 'Result', report: 'Board pack', visual: 'total' }] },
  ],
  'PersonalWorkspace Dana': [{ displayName: 'Scratch board', tiles: [{ title: 'Notes' }] }],
};

export function demoDashboards({ name, reports, datasets }: DemoWorkspace, number: number): Dashboard[] {
  const loose = (demo[name] ?? []).map(({ displayName, tiles }) => ({
    displayName,
    tiles: tiles.map((each) => tile(each)),
  }));
  return dashboardsFrom(loose, number);

  function tile({ title, report, visual, size: [colSpan, rowSpan] = [1, 1] }: DemoTile): Partial<Tile> {
    const at = reports.findIndex((each) => each.name === report);
    if (at < 0) return { title, colSpan, rowSpan };
    const dataset = datasets.findIndex((each) => each.name === reports[at]!.dataset);
    return {
      title,
      colSpan,
      rowSpan,
      reportId: idOf('report', number, at + 1),
      datasetId: idOf('dataset', number, dataset + 1),
      ...(visual && { visual }),
    };
  }
}
