/** A query client whose invalidation also applies to queries that are loading for the first time. */
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/**
 * By default, a query without data that is loading is not fetched again when it is invalidated. Its response, which may
 * have been read before the change, would then be shown as current.
 */
export class RefetchingClient extends QueryClient {
  override async invalidateQueries<T extends QueryKey = QueryKey>(
    filters: InvalidateQueryFilters<T> = {},
    options: InvalidateOptions = {},
  ): Promise<void> {
    const loading = this.getQueryCache()
      .findAll(filters as InvalidateQueryFilters)
      .filter((query) => query.state.data === undefined && query.isActive());
    await Promise.all(loading.map((query) => query.cancel({ silent: true })));
    await super.invalidateQueries(filters, options);
  }
}
