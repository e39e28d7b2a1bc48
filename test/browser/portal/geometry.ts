import type { Page } from 'playwright-core';

/** In the page: what is visible in its main part, or in the dialog that covers it. */
const prelude = `
  const dialogs = [...document.querySelectorAll('[role=dialog]')];
  const root = dialogs.at(-1) ?? document.querySelector('main');
  const isShown = (each) => {
    const { width, height } = each.getBoundingClientRect();
    return width > 1 && height > 1 && each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const nameOf = (each) =>
    each.tagName.toLowerCase() + ' ' + (each.ariaLabel ?? each.labels?.[0]?.innerText ?? each.innerText ?? '').trim().slice(0, 60);
  const round = ({ width, height }) => Math.round(width) + ' x ' + Math.round(height);
`;

const controls = `[...root.querySelectorAll('a[href], button, input, select, textarea, [role=tab], [role=button]')]
    .filter((each) => isShown(each) && each.ariaHidden !== 'true' && each.type !== 'hidden')`;

const lines = (page: Page, script: string): Promise<string[]> =>
  page.evaluate<string[]>(`(() => { ${prelude} ${script} })()`);

/**
 * Controls that are smaller than 24 x 24 CSS pixels (WCAG 2.5.8), each with its size. Links inside a sentence are exempt;
 * inputs count with the label or the frame that a press on it reaches.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  lines(
    page,
    `const inSentence = (each) => each.tagName === 'A' && each.closest('td, nav') === null
       && each.parentElement.innerText.trim().length > each.innerText.trim().length;
     const bordered = (each) => getComputedStyle(each).borderTopWidth !== '0px' ? each : bordered(each.parentElement);
     const targetOf = (each) => each.matches('[type=radio], [type=checkbox]') ? each.labels[0] : each.matches('input') ? bordered(each) : each;
     const boxOf = (each) => targetOf(each).getBoundingClientRect();
     return ${controls}
       .filter((each) => !inSentence(each) && (boxOf(each).height < 23.5 || boxOf(each).width < 23.5))
       .map((each) => nameOf(each) + ': ' + round(boxOf(each)));`,
  );

/** Buttons whose label is cut, and buttons that are not wholly inside the window's width. */
export const cutButtons = (page: Page): Promise<string[]> =>
  lines(
    page,
    `const isCut = (each) => [each, ...each.querySelectorAll('span')].some((part) => part.scrollWidth > part.clientWidth + 1
       && part.clientWidth > 0 && getComputedStyle(part).display !== 'inline');
     const isOutside = ({ left, right }) => left < -0.5 || right > innerWidth + 0.5;
     return [...root.querySelectorAll('button, [role=button]')]
       .filter((each) => isShown(each) && each.innerText.trim() !== '' && isCut(each) || isShown(each) && isOutside(each.getBoundingClientRect()))
       .map(nameOf);`,
  );

/** Tables of which a part is outside of the window's width, or is reached only by scrolling. */
export const cutTables = (page: Page): Promise<string[]> =>
  lines(
    page,
    `const scrolls = (each) => each !== root && (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== 'visible' || scrolls(each.parentElement));
     const isOutside = ({ left, right }) => left < -0.5 || right > innerWidth + 0.5;
     return [...root.querySelectorAll('table')]
       .filter((each) => isShown(each) && (isOutside(each.getBoundingClientRect()) || scrolls(each.parentElement)))
       .map((each) => each.innerText.slice(0, 60));`,
  );

/** The highest empty band between two parts of the page's content, in CSS pixels. */
export const largestGap = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => { ${prelude}
    const boxes = [...root.querySelectorAll('*')]
      .filter((each) => isShown(each) && (each.matches('input, textarea, button, img, svg, iframe, hr')
        || [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '')))
      .map((each) => each.getBoundingClientRect())
      .toSorted((a, b) => a.top - b.top);
    let bottom = boxes[0].top;
    let largest = 0;
    for (const box of boxes) {
      largest = Math.max(largest, box.top - bottom);
      bottom = Math.max(bottom, box.bottom);
    }
    return Math.round(largest);
  })()`);
