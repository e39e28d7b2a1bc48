// Asks the registry for advisories about what runs in production: node deploy/audit.js
// Ends with 1 when there is one of `moderate` or worse, and with 2 when the registry did not answer.
import { spawnSync } from 'node:child_process';

const failing = ['moderate', 'high', 'critical'];

const { stdout, stderr, error } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0'], {
  encoding: 'utf8',
  timeout: 120_000,
  // On Windows npm is a script of the shell.
  shell: process.platform === 'win32',
});

function reportOf(text) {
  try {
    const { vulnerabilities, message, error: failure } = JSON.parse(text);
    return { vulnerabilities, reason: message ?? failure?.summary };
  } catch {
    return { reason: error?.message ?? stderr.trim().split('\n')[0] };
  }
}

const { vulnerabilities, reason } = reportOf(stdout);
if (vulnerabilities === undefined) {
  process.exitCode = 2;
  console.error(`NOT CHECKED: the advisory service did not answer (${reason || 'no reason given'}).`);
} else {
  // Whoever depends on it is listed too, at npm's own guess of how bad that is: only the advisories count.
  const found = Object.values(vulnerabilities).flatMap(({ via }) =>
    via.filter((each) => typeof each === 'object'),
  );
  for (const { name, severity, range } of found) console.log(`${severity}: ${name} ${range}`);
  console.log(`${found.length} advisories.`);
  if (found.some(({ severity }) => failing.includes(severity))) process.exitCode = 1;
}
