import type { Locator, Page } from 'playwright-core';
import type { Portal } from './portal.js';

/** More than the controls of any page in this test. */
const MAX_TABS = 100;

export const hasFocus = (target: Locator): Promise<void> =>
  target.and(target.page().locator(':focus')).first().waitFor();
/** A radio button that is chosen and has focus. Its input has no size: what is visible of it is its label. */
export const isChosen = (radio: Locator): Promise<void> =>
  radio
    .and(radio.page().locator(':focus'))
    .and(radio.page().locator(':checked'))
    .waitFor({ state: 'attached' });
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
/** It has focus when the control that was used is gone. */
export const sectionHeading = (page: Page, name: string) =>
  page.getByRole('heading', { name, level: 2, exact: true });
export const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Presses Tab, or another key, until a control has focus. */
export async function tabTo(target: Locator, key = 'Tab'): Promise<void> {
  const page = target.page();
  await target.first().waitFor();
  const focused = target.and(page.locator(':focus'));
  for (let presses = 0; (await focused.count()) === 0; presses += 1) {
    if (presses > MAX_TABS) throw new Error(`${key} does not reach ${target.toString()}`);
    await page.keyboard.press(key);
  }
}

export async function press(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press(key);
}

export async function type(field: Locator, text: string): Promise<void> {
  await tabTo(field);
  await field.page().keyboard.type(text);
}

/** Opens what the search finds. The heading of the page, `title`, has focus then. */
export async function search(page: Page, text: string, name: string, title = name): Promise<void> {
  await page.keyboard.press('Control+k');
  await hasFocus(page.getByRole('combobox', { name: /^Search/ }));
  await page.keyboard.type(text);
  await page.locator('[role=option][aria-selected=true]').filter({ hasText: name }).waitFor();
  await page.keyboard.press('Enter');
  await hasFocus(heading(page, title));
}

/** Confirms the open question by the keyboard. */
export async function answer(page: Page, name: string | RegExp, action: string): Promise<void> {
  const question = dialogOf(page, name);
  await hasFocus(question.getByRole('button', { name: 'Cancel' }));
  await press(question.getByRole('button', { name: action, exact: true }));
  await question.waitFor({ state: 'detached' });
}

/** The entry of a menu that has focus after some steps down. */
export async function choose(
  page: Page,
  button: Locator,
  entry: string,
  role: 'menuitem' | 'menuitemradio' = 'menuitem',
) {
  await press(button);
  const items = page.getByRole('menu').locator('[role^=menuitem]');
  await hasFocus(items.first());
  const target = page.getByRole(role, { name: entry, exact: true });
  for (let steps = await items.count(); steps > 0; steps -= 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) break;
    await page.keyboard.press('ArrowDown');
  }
  await hasFocus(target);
  await page.keyboard.press('Enter');
}

export async function signIn(
  portal: Portal,
  page: Page,
  { email, password }: { email: string; password: string },
  path: string,
) {
  await page.goto(`${portal.url}${path}`);
  await type(page.getByLabel('Email'), email);
  await type(page.getByRole('textbox', { name: /^Password/ }), password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Your account' }).waitFor();
}

/** A page of a user who has signed in by the keyboard. */
export async function openAs(
  portal: Portal,
  user: { email: string; password: string },
  path: string,
): Promise<Page> {
  const page = await portal.tab(await portal.newContext());
  await signIn(portal, page, user, path);
  return page;
}

export const openAsAdmin = (portal: Portal, path = '/'): Promise<Page> => openAs(portal, portal.admin, path);

/** Picks the first option of a field that searches. */
export async function pick(field: Locator, text: string): Promise<void> {
  const page = field.page();
  await type(field, text);
  await page.getByRole('option').first().filter({ hasText: text }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
}

/** Selects the option of a field that lists all of its options. */
export async function select(field: Locator, option: string): Promise<void> {
  const page = field.page();
  await tabTo(field);
  await page.keyboard.press('Enter');
  const target = page.getByRole('option', { name: option, exact: true });
  await target.waitFor();
  const active = target.and(page.locator('[data-combobox-selected]'));
  const steps = await page.getByRole('option').count();
  for (let step = 0; step < steps && (await active.count()) === 0; step += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  await hasFocus(field);
}
