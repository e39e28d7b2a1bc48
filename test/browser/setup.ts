import { afterEach, beforeEach } from '@jest/globals';
import { beginTest, endTest } from '../support/end-of-test.js';

beforeEach(beginTest);
afterEach(endTest);
