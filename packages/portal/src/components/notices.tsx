import { Notification } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { dismiss, type Notice, noticesNow, subscribe } from './notify.js';
import { useFullScreen } from './use-full-screen.js';

function Shown({ notice: { id, title, message, color, closesAfter } }: { notice: Notice }) {
  const { t } = useTranslation();
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), closesAfter);
    return () => clearTimeout(timer);
  }, [id, closesAfter]);
  return (
    <Notification
      withBorder
      title={title}
      color={color}
      onClose={() => dismiss(id)}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {message}
    </Notification>
  );
}

/** The notices, in a corner of the window. Part of the first load: a notice of a lost connection needs no connection. */
export function Notices() {
  const notices = useSyncExternalStore(subscribe, noticesNow);
  const fullScreen = useFullScreen();
  const shown = (
    <div className="notices">
      {notices.map((notice) => (
        <Shown key={notice.id} notice={notice} />
      ))}
    </div>
  );
  return fullScreen ? createPortal(shown, fullScreen) : shown;
}
