import { Anchor, Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { ShareDialog } from '../../access/share-dialog.js';
import type { Report } from './report-rows.js';

/** Grants people and groups access to this report only. */
export function ShareReport({ report }: { report: Report }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconUserPlus size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        Share
      </Button>
      {isOpen && (
        <ShareDialog
          title={`Share ${report.name}`}
          target={{ type: 'report', id: report.id }}
          workspaceId={report.workspace_id}
          onClose={() => setIsOpen(false)}
        >
          <Anchor component={Link} to={`/reports/${report.id}/access`} size="sm">
            Who can see this report
          </Anchor>
        </ShareDialog>
      )}
    </>
  );
}
