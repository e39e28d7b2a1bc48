import { jest } from '@jest/globals';

// What fails twice is broken; what fails once, on a machine that does other work, is told and tried again.
const retries = Number(process.env.TEST_RETRIES ?? 0);
if (retries > 0) jest.retryTimes(retries, { logErrorsBeforeRetry: true });
