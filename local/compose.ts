import { join } from 'node:path';
import { banner } from './banner.js';
import { openDataFolder } from './data-folder.js';
import { startDatabase } from './database.js';
import { DemoData } from './demo-data.js';
import { setUpDemo } from './demo.js';
import { serviceEnvironment, settingsFile } from './environment.js';
import { portFor } from './free-port.js';
import { replaceFile } from '../src/core/files.js';
import { startMailbox } from './mailbox.js';
import { startPowerBi } from './power-bi.js';
import { adminCandidates, keepAdmin, openSecrets } from './secrets.js';
import { startService } from './service.js';
import { type Settings, urlOf } from './settings.js';
import { startSignIn } from './sign-in.js';

const log = (line: string) => console.log(line);

/** Starts every part, adds each to `parts` as soon as it runs, and prints the banner when all are ready. */
export async function startLocally(settings: Settings, parts: AsyncDisposableStack, signal: AbortSignal) {
  const { host, adminEmail: email, adminPassword: password } = settings;
  const dataDir = openDataFolder(settings.dataDir, parts);
  const port = await portFor(settings.port, host, 'PORT');
  if (settings.emulatorPort) await portFor(settings.emulatorPort, '127.0.0.1', 'EMULATOR_PORT');
  const secrets = await openSecrets(dataDir);
  signal.throwIfAborted();
  const database = await startDatabase(dataDir, parts, log);
  signal.throwIfAborted();
  const powerBi = await startPowerBi(dataDir, settings.emulatorPort, parts);
  const mailFolder = join(dataDir, 'mail');
  const smtpUrl = await startMailbox(mailFolder, parts, log);
  const url = urlOf(host, port);
  const issuer = await startSignIn(dataDir, process.env.PUBLIC_URL?.trim() || url, parts);
  signal.throwIfAborted();

  const demoData = DemoData.open(dataDir, settings.demoData && database.isNew);
  const admins = adminCandidates(dataDir, { email, password });
  const addresses = { url, port, host, database, powerBiUrl: powerBi.url, issuer, smtpUrl };
  const environment = serviceEnvironment(process.env, {
    ...addresses,
    secrets,
    admin: admins[0],
    hasDemoData: demoData !== null,
  });
  replaceFile(join(dataDir, 'service.env'), settingsFile(environment));
  await startService(url, environment, parts, signal);

  const demo = await setUpDemo(url, admins);
  if (demo.admin) keepAdmin(dataDir, demo.admin);
  if (powerBi.hasMoved) await demo.api?.sync(signal);
  signal.throwIfAborted();
  const hasPortal = environment.PORTAL_ENABLED !== 'false';
  log(banner({ url, powerBiUrl: powerBi.url, issuer, mailFolder, hasPortal }, demo));
  if (demoData === null || demo.api === undefined) return;
  const places = { url, publicUrl: environment.PUBLIC_URL ?? url, owner: database.owner };
  const adding = demoData.add(places, demo.api, signal).catch((error: Error) => {
    if (!signal.aborted) log(`The demo data is not complete: ${error.message}. The next start repeats it.`);
  });
  parts.defer(() => adding);
}
