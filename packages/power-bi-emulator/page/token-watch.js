import { showBanner } from './draw.js';

/** The emulator's clock can be moved while the page is open, so a timer until the expiry is not enough. */
const checkEveryMs = 1000;

/**
 * Follows the embed token of a page: checks it every second while `session.opened` is set, and replaces it.
 * `check(config)` throws the error body of a rejected token. `raiseError(details)` raises the client's `error` event.
 */
export function watchToken(session, check, raiseError) {
  let timer;

  function watch() {
    clearTimeout(timer);
    if (session.opened) timer = setTimeout(() => void checkNow(), checkEveryMs);
  }

  async function checkNow() {
    try {
      await check(session.config);
      watch();
    } catch (error) {
      session.expired = true;
      fail(error);
    }
  }

  /** Before the expiry a new token replaces the old one; afterwards the page needs a reload. A rejected one changes nothing. */
  async function renew(accessToken) {
    const config = { ...session.config, accessToken };
    try {
      await check(config);
    } catch (error) {
      fail(error);
      return;
    }
    session.config = config;
    if (session.expired && session.opened?.reload_after_expiry === false) {
      session.expired = false;
      showBanner('');
    }
    if (!session.expired) watch();
  }

  /** Shows an error and raises it. */
  function fail(error) {
    const details = error?.message && error?.detailedMessage ? error : unreachable(error);
    showBanner(`${details.message}: ${details.detailedMessage}`);
    raiseError(details);
  }

  return { watch, renew, fail };
}

function unreachable(error) {
  return { message: 'LoadReportFailed', detailedMessage: String(error), errorCode: '500', level: 4 };
}
