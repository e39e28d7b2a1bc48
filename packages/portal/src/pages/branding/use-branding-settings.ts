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
  for (const kind of ['logo', 'logo-dark', 'favicon'] as const)
    await read(api.DELETE(`/api/settings/branding/${kind}`));
  return read(api.PUT('/api/settings/branding', { body: {} }));
}

/** A PUT resets what it omits: the rest is read again, because another admin may have changed it since. */
async function save(changes: BrandingValues): Promise<BrandingSettings> {
  const { product_name, primary_color, sign_in_text, support_url, sender_name } = await load();
  const body = { product_name, primary_color, sign_in_text, support_url, sender_name, ...changes };
  return read(api.PUT('/api/settings/branding', { body }));
}

const show = (saved: BrandingSettings): void =>
  applyBranding({
    productName: saved.product_name,
    primaryColor: saved.primary_color,
    signInText: saved.sign_in_text,
    supportUrl: saved.support_url,
    logo: saved.logo?.url ?? null,
    logoDark: saved.logo_dark?.url ?? null,
    favicon: saved.favicon?.url ?? null,
  });

/** A change, which the portal shows at once. */
function useChange<T>(change: (values: T) => Promise<BrandingSettings>, onError?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (saved) => {
      // A response that is under way is older.
      await client.cancelQueries({ queryKey: key });
      client.setQueryData(key, saved);
      show(saved);
      return client.invalidateQueries({ queryKey: onboardingKey });
    },
    onError,
  });
}

/** A change of several requests: one that fails midway shows what it has changed. */
function useChangeInSteps<T>(change: (values: T) => Promise<BrandingSettings>) {
  const client = useQueryClient();
  const reload = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: key });
    const current = client.getQueryData<BrandingSettings>(key);
    if (current !== undefined) show(current);
  };
  // The error does not wait for this.
  return useChange(change, () => void reload());
}

export const useSaveBranding = () => useChange(save);
export const useUploadImage = (kind: ImageKind) => useChange((file: File) => upload(kind, file));
export const useRemoveImage = (kind: ImageKind) => useChangeInSteps(() => remove(kind));
export const useResetBranding = () => useChangeInSteps(reset);
