import { Box, Center, Paper } from '@mantine/core';
import { Outlet } from 'react-router';
import { Brand } from './brand.js';

/** Around the pages for people who are not signed in. */
export const Entry = () => (
  <Center
    component="main"
    mih="100%"
    p="md"
    bg="light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-8))"
  >
    <Paper w="100%" maw={440} p={{ base: 'lg', sm: 'xl' }} withBorder shadow="sm">
      <Box mb="lg">
        <Brand />
      </Box>
      <Outlet />
    </Paper>
  </Center>
);
