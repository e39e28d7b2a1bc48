import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { applyBranding } from '../../branding/branding.js';
import { onboardingKey } from '../../api/query-client.js';

export type BrandingSettings = components['schemas']['BrandingDto'];
export type BrandingValues = components['schemas']['UpdateBrandingDto'];
export type ImageKind = 'logo' | 'logo-dark' | 'favicon';

const key = ['settings', 'branding'];

const load = (signal?: AbortSignal): Promise<BrandingSettings> =>
  read(api.GET('/api/settings/branding', { signal }));

export const useBrandingSettings = () => useQuery({ queryKey: key, queryFn: ({ signal }) => load(signal) });

/** Sends the file as it is: the service determines its type. */
const upload = (kind: ImageKind, file: File): Promise<BrandingSettings> =>
  read(
    api.PUT(`/api/settings/branding/${kind}`, {
      body: file as unknown as string,
      bodySerializer: (body: unknown) => body as File,
      headers: { 'Content-Type': 'application/octet-stream' },
    }),
  );

async function remove(kind: ImageKind): Promise<BrandingSettings> {
  await read(api.DELETE(`/api/settings/branding/${kind}`));
  return load();
}

async function reset(): Promise<BrandingSettings> {
  for (const kind of ['logo', 'logo-dark', 'favicon'] as const) await remove(kind);
  return read(api.PUT('/api/settings/branding', { body: {} }));
}

/** A change, which the portal shows at once; also what one that fails midway has changed. */
function useChange<T>(change: (values: T) => Promise<BrandingSettings>) {
  const client = useQueryClient();
  const show = (saved: BrandingSettings) => {
    client.setQueryData(key, saved);
    applyBranding({
      productName: saved.product_name,
      primaryColor: saved.primary_color,
      signInText: saved.sign_in_text,
      supportUrl: saved.support_url,
      logo: saved.logo?.url ?? null,
      logoDark: saved.logo_dark?.url ?? null,
      favicon: saved.favicon?.url ?? null,
    });
    return client.invalidateQueries({ queryKey: onboardingKey });
  };
  return useMutation({
    mutationFn: change,
    onSuccess: show,
    onError: () => {
      // A change of several requests may have failed midway. The error does not wait for this.
      void load().then(show, () => undefined);
    },
  });
}

export const useSaveBranding = () =>
  useChange((body: BrandingValues) => read(api.PUT('/api/settings/branding', { body })));
export const useUploadImage = (kind: ImageKind) => useChange((file: File) => upload(kind, file));
export const useRemoveImage = (kind: ImageKind) => useChange(() => remove(kind));
export const useResetBranding = () => useChange(reset);
