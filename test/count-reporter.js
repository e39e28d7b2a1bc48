/** Prints one plain line with the counts. A file that could not run counts as a failure. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.on('exit', () => console.log(`${results.numPassedTests} passed, ${failed} failed`));
  }
}
