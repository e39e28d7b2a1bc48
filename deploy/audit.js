// Asks the registry for advisories about what runs in production: node deploy/audit.js
// Ends with 1 when there is one of `moderate` or worse. A registry that does not tell is reported, and is no failure.
import { spawnSync } from 'node:child_process';

const failing = ['moderate', 'high', 'critical'];

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0'], {
  encoding: 'utf8',
  timeout: 120_000,
});

function reportOf(text) {
  try {
    const { vulnerabilities, message, error } = JSON.parse(text);
    return { vulnerabilities, reason: message ?? error?.summary };
  } catch {
    return { reason: stderr.trim().split('\n')[0] };
  }
}

const { vulnerabilities, reason } = reportOf(stdout);
if (vulnerabilities === undefined) {
  console.log(`NOT CHECKED: the advisory service did not answer (${reason || 'no reason given'}).`);
} else {
  // Whoever depends on it is listed too, at npm's own guess of how bad that is: only the advisories count.
  const found = Object.values(vulnerabilities).flatMap(({ via }) =>
    via.filter((each) => typeof each === 'object'),
  );
  for (const { name, severity, range } of found) console.log(`${severity}: ${name} ${range}`);
  console.log(`${found.length} advisories.`);
  if (found.some(({ severity }) => failing.includes(severity))) process.exitCode = 1;
}
