import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { printReport } from './rerun.ts';

const MAX_ERROR_LENGTH = 300;

/** The message of an error in one line, without its stack. */
function textOf(message) {
  const [text] = stripVTControlCharacters(message).split(/\n\s+at /);
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_ERROR_LENGTH);
  return line || 'unknown error';
}

function fileOf({ testFilePath, perfStats, testResults, testExecError }, root) {
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ title: fullName, error: textOf(failureMessages[0] ?? '') }));
  if (testExecError)
    failures.push({ title: '(file)', error: textOf(testExecError.stack ?? testExecError.message) });
  return {
    path: relative(root, testFilePath),
    seconds: (perfStats.end - perfStats.start) / 1000,
    passed: testResults.filter(({ status }) => status === 'passed').length,
    failures,
  };
}

/** Writes the result to the file of `TEST_REPORT`, or prints it. A file that could not run counts as a failure. */
export default class CountReporter {
  constructor({ rootDir }) {
    this.root = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const files = testResults.map((result) => fileOf(result, this.root));
    const sum = (count) => files.reduce((total, file) => total + count(file), 0);
    const report = {
      passed: sum(({ passed }) => passed),
      failed: sum(({ failures }) => failures.length),
      files,
    };
    if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
    // After Jest's own summary: the last line is for programs.
    else process.on('exit', () => printReport(report));
  }
}
