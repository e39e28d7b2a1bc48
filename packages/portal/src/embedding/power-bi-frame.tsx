import i18next from 'i18next';
import type { EmbedToken } from '@vitrine/embed';
import { type Embed, models, type Page, type Report, type service } from 'powerbi-client';
import { type EventHandler, PowerBIEmbed } from 'powerbi-client-react';
import { useEffect, useRef, useState } from 'react';
import { formatLocale } from '../i18n/format.js';
import { PSEUDO } from '../i18n/index.js';
import type { ClientProblem } from './client-problem.js';
import { fitPhone, visiblePages } from './report-pages.js';
import { OwnFrame } from './own-frame.js';

/** The one that the client makes by itself. Any other would listen to the window's messages as well, and never stop. */
const { powerbi } = window as unknown as { powerbi: service.Service };

interface Router {
  post: (url: string, handle: unknown) => void;
}

/**
 * The client registers the event hooks of every report, which the portal does not use, and never removes them: each would
 * keep its report and the elements around it in memory.
 */
const { router } = powerbi as unknown as { router: Router };
const post = router.post.bind(router);
router.post = (url, handle) => {
  if (!url.includes('/eventHooks/')) post(url, handle);
};

/** The hosts that Microsoft's client makes a frame for, as far as reports of any cloud are on them. */
const microsoft = /\.(powerbi\.com|fabric\.microsoft\.com|powerbigov\.us|powerbi\.cn)$/;

const isMicrosoft = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' && microsoft.test(hostname);
};

export interface ReportPage {
  name: string;
  displayName: string;
  isActive: boolean;
}

export interface FrameEvents {
  onReport: (report: Report) => void;
  onLoaded: () => void;
  onPages: (pages: ReportPage[]) => void;
  onRendered: () => void;
  onPage: (page: ReportPage) => void;
  onSaved: (saved: { reportName: string; saveAs: boolean }) => void;
  onError: (problem: ClientProblem) => void;
}

interface Props extends FrameEvents {
  /** The first: a report is given the next ones while it is shown. */
  token: EmbedToken;
  /** What the frame is called to those who do not see it. */
  title: string;
  isPhone: boolean;
  isPaginated: boolean;
  /** The page to begin with; left out, the report's own first one. */
  pageName?: string;
}

/** Power BI knows no pseudo-language. */
const languageOf = (language: string): string => (language === PSEUDO ? 'en' : language);

/** A paginated report has neither pages to choose from nor an editor. */
function settingsOf({
  token,
  isPhone,
  isPaginated,
  pageName,
}: Props): Partial<models.IReportEmbedConfiguration> {
  const localeSettings = { language: languageOf(i18next.language), formatLocale: formatLocale() };
  if (isPaginated) return { settings: { localeSettings } };
  const edits = token.access === 'edit';
  return {
    permissions: edits ? models.Permissions.ReadWrite : models.Permissions.Read,
    viewMode: edits ? models.ViewMode.Edit : models.ViewMode.View,
    ...(pageName !== undefined && { pageName }),
    settings: {
      // Pages are chosen above the report, but made and named within it.
      localeSettings,
      panes: { pageNavigation: { visible: edits } },
      ...(isPhone && { layoutType: models.LayoutType.MobileLandscape }),
    },
  };
}

const configOf = (props: Props): models.IReportEmbedConfiguration => ({
  type: 'report',
  id: props.token.pbi_report_id,
  embedUrl: props.token.embed_url,
  accessToken: props.token.token,
  tokenType: models.TokenType.Embed,
  ...settingsOf(props),
});

/** Handlers that stay the same while what they call changes. */
function useHandlers(props: Props): Map<string, EventHandler> {
  const now = useRef(props);
  useEffect(() => {
    now.current = props;
  });
  const [handlers] = useState(() => {
    const on = (handle: (detail: never, report: Report, now: Props) => void): EventHandler => {
      return (event, report) => handle(event?.detail as never, report as Report, now.current);
    };
    return new Map([
      ['loaded', on((_, report, now) => void loaded(report, now))],
      ['rendered', on((_, __, now) => now.onRendered())],
      ['pageChanged', on(({ newPage }: { newPage: Page }, report, now) => changed(newPage, report, now))],
      ['saved', on((saved: { reportName: string; saveAs: boolean }, _, now) => now.onSaved(saved))],
      ['error', on((problem: ClientProblem, _, now) => now.onError(problem))],
    ]);
  });
  return handlers;
}

async function loaded(report: Report, { onLoaded, onPages, isPhone, isPaginated }: Props): Promise<void> {
  onLoaded();
  if (isPaginated) return;
  const pages = await visiblePages(report);
  onPages(pages);
  const active = pages.find(({ isActive }) => isActive);
  if (isPhone && active !== undefined) await fitPhone(active);
}

function changed(page: Page, report: Report, { onPage, isPhone }: Props): void {
  // Loaded anew, the report begins where the viewer was.
  (report.config as models.IReportEmbedConfiguration).pageName = page.name;
  onPage(page);
  if (isPhone) void fitPhone(page);
}

/** A report in its frame, made by Microsoft's component wherever that makes one. */
export default function PowerBiFrame(given: Props) {
  // Also after a rotation: a report cannot change between the layouts of phones and of larger windows.
  const [isPhone] = useState(given.isPhone);
  const props = { ...given, isPhone };
  // One and the same: with another one the report would be loaded anew.
  const [embedConfig] = useState(() => configOf(props));
  const Embedded = isMicrosoft(props.token.embed_url) ? PowerBIEmbed : OwnFrame;
  return (
    <Embedded
      service={powerbi}
      embedConfig={embedConfig}
      eventHandlers={useHandlers(props)}
      getEmbeddedComponent={(embed: Embed) => {
        embed.setComponentTitle(props.title);
        props.onReport(embed as Report);
      }}
      cssClassName="report-frame"
    />
  );
}
