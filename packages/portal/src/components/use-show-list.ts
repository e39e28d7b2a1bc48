import { useNavigate } from 'react-router';

/** Shows the list after something on this page was deleted, unless the page was left meanwhile. */
export function useShowList(list: string): () => Promise<void> {
  const navigate = useNavigate();
  const page = location.pathname;
  return async () => {
    if (location.pathname === page) await navigate(list, { replace: true });
  };
}
