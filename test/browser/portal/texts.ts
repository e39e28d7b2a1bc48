import type { Page } from 'playwright-core';

/** In the page: what can be seen of the document outside of frames. */
const prelude = `
  const isShown = (each) => {
    const { width, height } = each.getBoundingClientRect();
    return width > 1 && height > 1 && each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const elements = [...document.body.querySelectorAll('*')].filter((each) => !each.matches('script, style, noscript'));
  const ownText = (each) => [...each.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
`;

/** Texts for sighted users and screen readers: text nodes, and attributes that contain text. Times are formatted data. */
export const visibleTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => { ${prelude}
    const attributes = ['aria-label', 'title', 'placeholder', 'alt'];
    const found = elements
      .filter((each) => each.closest('time') === null && each.checkVisibility({ visibilityProperty: true }))
      .flatMap((each) => [
        ...ownText(each).map((node) => node.data.trim()),
        ...(each.closest('[aria-hidden=true]') === null ? attributes : []).flatMap((name) => each.getAttribute(name)?.trim() || []),
      ]);
    return [...new Set(found)];
  })()`);

/**
 * Texts that are cut without an ellipsis, or that are outside of the window where nothing scrolls. Links of the navigation,
 * tabs and buttons may not end in an ellipsis either.
 */
export const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => { ${prelude}
    const clips = (each) => ['hidden', 'clip'].includes(getComputedStyle(each).overflowX);
    const scrolls = (each) => each !== null && (['auto', 'scroll'].includes(getComputedStyle(each).overflowX) || scrolls(each.parentElement));
    const hasEllipsis = (each) => getComputedStyle(each).textOverflow === 'ellipsis' || getComputedStyle(each).webkitLineClamp !== 'none';
    const isControl = (each) => each.closest('nav a, button, [role=tab]') !== null && each.closest('table, [title]') === null;
    const isCut = (each) => clips(each) && each.scrollWidth > each.clientWidth + 1 && (isControl(each) || !hasEllipsis(each));
    const isOutside = (each) => {
      const { left, right } = each.getBoundingClientRect();
      return (left < -1 || right > innerWidth + 1) && !scrolls(each.parentElement);
    };
    return elements
      .filter((each) => isShown(each) && ownText(each).length > 0 && each.closest('.mantine-VisuallyHidden-root, .skip-link') === null)
      .filter((each) => isCut(each) || isOutside(each))
      .map((each) => each.tagName.toLowerCase() + '.' + each.className + ': ' + each.textContent.trim().slice(0, 60));
  })()`);
