import { Injectable, Logger } from '@nestjs/common';
import { abortable } from '../../core/async/abortable.js';
import { CacheInvalidationService } from '../../core/database/cache-invalidation.service.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { withOwnDeadline } from '../../core/http/request-context.js';
import { type CurrentBranding, noBranding, readBranding, type StoredImage } from './branding.queries.js';

/** The page must not wait for a database that does not respond. */
const WAIT_MS = 1000;
const RETRY_MS = 5000;

/**
 * The branding for pages, files and emails, which are served before sign-in and while the database is down: then as it
 * was last read, or the default. It is read again after a change on any replica.
 */
@Injectable()
export class CurrentBrandingService {
  private readonly logger = new Logger(CurrentBrandingService.name);
  private known = noBranding;
  private isFresh = false;
  private generation = 0;
  private retryAt = -Infinity;
  private loading?: Promise<void>;

  constructor(
    private readonly database: DatabaseService,
    private readonly changes: CacheInvalidationService,
  ) {
    changes.on('branding', () => this.invalidate());
  }

  async get(): Promise<CurrentBranding> {
    const isCached = this.isFresh && this.changes.isCurrent;
    if (!isCached && this.database.connected && performance.now() >= this.retryAt) await this.refresh();
    return this.known;
  }

  /** Whether anything differs from the default. */
  async isSet(): Promise<boolean> {
    const { settings, images } = await this.get();
    const { productName, primaryColor, signInText, supportUrl, senderName } = settings;
    return (
      images.size > 0 ||
      [productName, primaryColor, signInText, supportUrl, senderName].some((each) => each !== null)
    );
  }

  /** By the hash of its content. */
  async findImage(hash: string): Promise<StoredImage | undefined> {
    const { images } = await this.get();
    return [...images.values()].find((image) => image.hash === hash);
  }

  private async refresh(): Promise<void> {
    const loading = (this.loading ??= withOwnDeadline(() => this.load()));
    try {
      await abortable(loading, AbortSignal.timeout(WAIT_MS));
    } catch (error) {
      this.retryAt = performance.now() + RETRY_MS;
      this.logger.warn({ msg: 'the branding could not be read: the last one applies', err: error });
    } finally {
      if (this.loading === loading) this.loading = undefined;
    }
  }

  private async load(): Promise<void> {
    const { generation } = this;
    const branding = await readBranding(this.database.manager);
    this.known = branding;
    // A row read before an invalidation must not be cached after it.
    this.isFresh = generation === this.generation;
  }

  private invalidate(): void {
    this.generation += 1;
    this.isFresh = false;
    // A load that began before the change must not serve those who ask after it.
    this.loading = undefined;
    this.retryAt = -Infinity;
  }
}
