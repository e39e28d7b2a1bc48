/** Loaded by Node itself, also before a build: only types that can be stripped. */
export interface FileResult {
  path: string;
  seconds: number;
  passed: number;
  failures: { title: string; error: string }[];
}

export interface Report {
  passed: number;
  /** Includes errors outside of a test. */
  failed: number;
  files: FileResult[];
  /** Files that failed and passed when they ran once more. */
  flaky?: FileResult[];
  /** Why the run ended early. */
  error?: string;
}

const MAX_FLAKY_FILES = 3;
/** With more failed files the change is broken, not flaky. */
const MAX_RERUNS = 10;
const SLOWEST = 15;

const hasFailed = ({ failures }: FileResult): boolean => failures.length > 0;
const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Whether all failures belong to a few files. */
export function isRerunUseful({ failed, files }: Report): boolean {
  const count = files.filter(hasFailed).length;
  const failures = sum(files.map((file) => file.failures.length));
  return count > 0 && count <= MAX_RERUNS && failures === failed;
}

/** The result of a run with one rerun for each failed file, in the order of `files`. More than three flaky files fail. */
export function combine({ files }: Report, reruns: Report[]): Report {
  const passedFiles = files.filter((file) => !hasFailed(file));
  const flaky = files.filter(hasFailed).filter((_, index) => reruns[index]?.failed === 0);
  const all = [...passedFiles, ...reruns.flatMap((report) => report.files)];
  const failed = sum(reruns.map((report) => report.failed));
  return {
    passed: sum(all.map(({ passed }) => passed)),
    failed: failed + (flaky.length > MAX_FLAKY_FILES ? flaky.length : 0),
    files: all,
    flaky,
  };
}

function printFailures(word: string, files: FileResult[]): void {
  for (const { path, failures } of files)
    for (const { title, error } of failures)
      console.log(`${word}: ${path} > ${title}: ${error.split('\n')[0]?.slice(0, 300)}`);
}

/** Prints the slowest files, the flaky and failed tests, and last the plain line that `.ci/run` reads. */
export function printReport({ passed, failed, files, error, flaky = [] }: Report): void {
  const slow = files.filter(({ seconds }) => seconds >= 1).toSorted((a, b) => b.seconds - a.seconds);
  if (slow.length > 1) console.log('\nThe slowest files:');
  for (const { path, seconds } of slow.slice(0, SLOWEST))
    if (slow.length > 1) console.log(`${seconds.toFixed(1).padStart(7)} s  ${path}`);
  printFailures('flaky', flaky);
  printFailures('failed', files);
  if (flaky.length > MAX_FLAKY_FILES) console.log(`More than ${MAX_FLAKY_FILES} flaky files: failed`);
  if (error) console.log(error);
  console.log(`${passed} passed, ${failed} failed`);
}
