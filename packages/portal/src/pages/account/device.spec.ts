import { init } from 'i18next';
import { beforeAll, expect, test } from '@jest/globals';
import { deviceOf } from './device.js';

beforeAll(() => init({ lng: 'en', keySeparator: false, nsSeparator: false }));

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Edge on Windows',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/140.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (Linux; Android 15) ${webKit} Chrome/140.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/18 Safari/605.1',
    'Safari on macOS',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140 Mobile Safari/604.1', 'Chrome on iOS'],
  ['Mozilla/5.0 (X11; Ubuntu; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox'],
  ['curl/8.14.1', 'curl'],
  ['PostmanRuntime/7.45', 'PostmanRuntime'],
  ['', 'Unknown device'],
])('%s is shown as %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
