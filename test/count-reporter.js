/** Prints one plain line with the counts. A file that could not run counts as a failure. */
export default class CountReporter {
  onTestRunEnd(modules, errors) {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const failedFiles = modules.filter((module) => module.errors().length > 0).length;
    const failed = states.filter((state) => state === 'failed').length + failedFiles + errors.length;
    const passed = states.filter((state) => state === 'passed').length;
    process.on('exit', () => console.log(`${passed} passed, ${failed} failed`));
  }
}
