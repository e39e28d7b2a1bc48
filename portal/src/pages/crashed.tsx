import { Anchor, Button, Center, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { Empty } from '../components/states.js';
import { basePath } from '../settings.js';

/** A page that could not be loaded (a newer version was installed) or that broke: a fresh one helps in both cases. */
export function Crashed() {
  const error = useRouteError();
  useEffect(() => {
    console.error(error);
    document.title = 'This page broke · Vitrine';
  }, [error]);
  return (
    <Center component="main" mih="60vh" role="alert">
      <Empty title="This page broke">
        <Stack align="center">
          Vitrine may have been updated while it was open.
          <Button onClick={() => location.reload()}>Load it again</Button>
          <Anchor href={`${basePath}/`}>Back to your workspaces</Anchor>
        </Stack>
      </Empty>
    </Center>
  );
}
