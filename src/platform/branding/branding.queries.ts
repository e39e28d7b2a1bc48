import type { EntityManager } from 'typeorm';
import { Branding, BrandingImage } from './branding.entity.js';
import type { ImageKind } from './default-branding.js';

export type BrandingSettings = Omit<Branding, 'id'>;
export type StoredImage = Omit<BrandingImage, 'kind' | 'updatedAt'>;

export interface CurrentBranding {
  settings: BrandingSettings;
  images: ReadonlyMap<ImageKind, StoredImage>;
}

export const noBranding: CurrentBranding = {
  settings: {
    productName: null,
    primaryColor: null,
    signInText: null,
    supportUrl: null,
    senderName: null,
    updatedAt: null,
  },
  images: new Map(),
};

export async function readBranding(manager: EntityManager): Promise<CurrentBranding> {
  const settings = await manager.findOneBy(Branding, { id: 1 });
  const images = await manager.find(BrandingImage);
  return {
    settings: settings ?? noBranding.settings,
    images: new Map(images.map((image) => [image.kind, image])),
  };
}
