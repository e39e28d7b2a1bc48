import { Alert } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { settings } from '../../settings.js';

/** Marks generated figures; only a local start has them. */
export const DemoNotice = () =>
  settings.hasDemoUsage ? (
    <Alert color="blue" variant="light" title="Demo data" icon={<IconFlask aria-hidden />}>
      The usage before the first start of this demo is generated. Views since then are real.
    </Alert>
  ) : null;
