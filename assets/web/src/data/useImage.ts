/**
 * External images fetched through the server. They are requested with the user's token, which an `<img>` would not
 * send, and displayed from memory.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, errorText } from '@/api/errors';
import { send } from '@/api/http';
import { useSession } from '@/api/session';
import { limitConcurrency } from '@/core/concurrency';
import { isImage } from '@/core/wiki/icon';
import { queryClient } from './queries';
import { withoutAnimation } from './withoutAnimation';

/** An image that the server has or can fetch. */
export interface ImageSource {
  /** Its URL on this server. */
  path: string;
  /** The image's source or another identifier. A new value means a new image. */
  from: string;
}

const MINUTE = 60_000;
/** Limits parallel requests, so that avatars do not delay other requests. */
const limitImageRequests = limitConcurrency(3);

/** The URL of a loaded image; undefined while loading or if there is none. */
export function useImage(image: ImageSource | undefined): string | undefined {
  const response = useImageQuery(image);
  return useObjectUrl(typeof response === 'string' ? undefined : response);
}

/** The reason why there is no image; undefined while unknown or if there is one. */
export function useImageError(image: ImageSource | undefined): string | undefined {
  const response = useImageQuery(image);
  return typeof response === 'string' ? response : undefined;
}

function useImageQuery(image: ImageSource | undefined): Blob | string | undefined {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const { data } = useQuery({
    queryKey: [orgId, 'picture', image?.path, image?.from],
    queryFn: ({ signal }) => limitImageRequests(() => fetchImage(image as ImageSource, signal)),
    enabled: image !== undefined,
    staleTime: 30 * MINUTE,
    gcTime: 10 * MINUTE,
    refetchOnWindowFocus: false,
    retry: (count, error) => count < 3 && error instanceof ApiError && error.retryAfter !== undefined,
    retryDelay: (_, error) => (error as ApiError).retryAfter ?? 0,
  });
  return data;
}

/** Refetches a visible image, because it may be available now. */
export function refetchImage(path: string): void {
  const isIts = ({ queryKey: [, kind, of] }: { queryKey: readonly unknown[] }) =>
    kind === 'picture' && of === path;
  void queryClient.invalidateQueries({ predicate: isIts });
}

/** The image of an icon; undefined for an emoji. */
export function iconImage(path: string, icon: string | null | undefined): ImageSource | undefined {
  return icon && isImage(icon) ? { path, from: icon } : undefined;
}

async function fetchImage({ path, from }: ImageSource, signal: AbortSignal): Promise<Blob | string> {
  try {
    // The browser caches the response for a day. A different value of `of` identifies a different image.
    const url = `${path}${path.includes('?') ? '&' : '?'}of=${encodeURIComponent(fingerprint(from))}`;
    const response = await (await send(url, { signal })).blob();
    return await withoutAnimation(response).catch(() => response);
  } catch (error) {
    // There is no image and retrying would not help, so show the fallback.
    if (error instanceof ApiError && error.status === 404 && error.retryAfter === undefined) {
      return errorText(error);
    }
    throw error;
  }
}

/** Hashes the source URL, which may contain secrets that must not appear in proxy logs. */
function fingerprint(address: string): string {
  let sum = 0n;
  for (const letter of address)
    sum = BigInt.asUintN(64, sum * 1_099_511_628_211n + BigInt(letter.codePointAt(0) ?? 0));
  return sum.toString(36);
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!blob) {
      setAddress(undefined);
      return;
    }
    const url = URL.createObjectURL(blob);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  return address;
}
