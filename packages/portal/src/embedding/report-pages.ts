import { models, type Page, type Report } from 'powerbi-client';

/** Without those that are hidden from who only looks, such as tooltips; none when they cannot be had. */
export async function visiblePages(report: Report): Promise<Page[]> {
  try {
    const pages = await report.getPages();
    return pages.filter(({ visibility }) => visibility === models.SectionVisibility.AlwaysVisible);
  } catch {
    return [];
  }
}

/** Upright, if the page was laid out for that, too. */
export async function fitPhone(page: Page): Promise<void> {
  const { MobilePortrait, MobileLandscape } = models.LayoutType;
  try {
    const isUpright = await page.hasLayout(MobilePortrait);
    await (page.report as Report).switchLayout(isUpright ? MobilePortrait : MobileLandscape);
  } catch {
    // It stays as it is.
  }
}
