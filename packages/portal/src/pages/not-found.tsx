import { Anchor, Center } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { Empty } from '../components/states.js';

export function NotFound() {
  useEffect(() => {
    document.title = 'No such page · Vitrine';
  }, []);
  return (
    <Center component="main" mih="60vh">
      <Empty title="There is no such page">
        <Anchor component={Link} to="/">
          Back to your workspaces
        </Anchor>
      </Empty>
    </Center>
  );
}
