interface TraceEvent {
  name: string;
  ts: number;
  pid: number;
  tid: number;
  dur?: number;
  args: {
    frame?: string;
    name?: string;
    data?: { score?: number; had_recent_input?: boolean; documentLoaderURL?: string; frame?: string };
  };
}

export interface Figures {
  fcp_ms: number;
  lcp_ms: number;
  tbt_ms: number;
  cls: number;
}

/** A longer task blocks input: https://web.dev/articles/tbt */
const LONG_MS = 50;

export class NoStart extends Error {
  constructor(url: string) {
    super(`The trace does not have the start of ${url}.`);
  }
}

const frameOf = ({ args }: TraceEvent): string | undefined => args.frame ?? args.data?.frame;

/** The metrics of Lighthouse for a page load, from Chromium's trace. */
export function figuresOf(trace: Buffer, url: string): Figures {
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const began = events.findLast(
    ({ name, args }) => name === 'navigationStart' && args.data?.documentLoaderURL === url,
  );
  if (began === undefined) throw new NoStart(url);
  const frame = frameOf(began);
  const since = ({ ts }: TraceEvent): number => (ts - began.ts) / 1000;
  const ofPage = events.filter((event) => event.pid === began.pid && event.ts >= began.ts);
  const last = (name: string): number => {
    const event = ofPage.findLast((each) => each.name === name && frameOf(each) === frame);
    if (event === undefined) throw new Error(`The trace has no ${name}.`);
    return since(event);
  };
  const fcp = last('firstContentfulPaint');
  const main = events.find(
    ({ name, pid, args }) => name === 'thread_name' && pid === began.pid && args.name === 'CrRendererMain',
  );
  const blocking = ofPage
    .filter(
      (event) =>
        event.name === 'ThreadControllerImpl::RunTask' && event.tid === main?.tid && since(event) >= fcp,
    )
    .map(({ dur = 0 }) => Math.max(0, dur / 1000 - LONG_MS));
  const shifts = ofPage
    .filter(({ name, args }) => name === 'LayoutShift' && args.data?.had_recent_input !== true)
    .map(({ args }) => args.data?.score ?? 0);
  const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
  return {
    fcp_ms: Math.round(fcp),
    lcp_ms: Math.round(last('largestContentfulPaint::Candidate')),
    tbt_ms: Math.round(sum(blocking)),
    cls: Number(sum(shifts).toFixed(3)),
  };
}
