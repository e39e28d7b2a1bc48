import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { printReport } from './rerun.ts';

const textOf = (errors) => errors[0]?.message ?? 'unknown error';

function reportOf(module) {
  const tests = [...module.children.allTests()];
  const failed = tests.filter((test) => test.result().state === 'failed');
  const failures = failed.map((test) => ({ title: test.fullName, error: textOf(test.result().errors) }));
  if (module.errors().length > 0) failures.push({ title: '(file)', error: textOf(module.errors()) });
  return {
    path: relative(process.cwd(), module.moduleId),
    seconds: module.diagnostic().duration / 1000,
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failures,
  };
}

/** Writes the result to the file of `TEST_REPORT`, or prints it. An error outside of a test counts as a failure. */
export default class CountReporter {
  onTestRunEnd(modules, errors) {
    const files = modules.map(reportOf);
    const sum = (count) => files.reduce((total, file) => total + count(file), 0);
    const report = {
      passed: sum(({ passed }) => passed),
      failed: sum(({ failures }) => failures.length) + errors.length,
      files,
    };
    if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
    else process.on('exit', () => printReport(report));
  }
}
