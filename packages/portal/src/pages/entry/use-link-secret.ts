import { useLayoutEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

const secretOf = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get('token');

/** The secret of an emailed link. It is removed from the address bar and kept only in memory. */
export function useLinkSecret(): string | null {
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  const [secret, setSecret] = useState(() => secretOf(hash));
  useLayoutEffect(() => {
    if (hash === '') return;
    setSecret(secretOf(hash));
    void navigate(pathname, { replace: true });
  }, [hash, pathname, navigate]);
  return secret;
}
