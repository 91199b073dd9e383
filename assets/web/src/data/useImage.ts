/**
 * Pictures from elsewhere, which the server has fetched. They are read as all else is, with the caller's token, which an
 * `<img>` would not send; what came is shown from memory.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, errorText } from '@/api/errors';
import { send } from '@/api/http';
import { useSession } from '@/api/session';
import { limitConcurrency } from '@/core/concurrency';
import { isImage } from '@/core/wiki/icon';
import { queryClient } from './queries';
import { withoutAnimation } from './stillImage';

/** A picture that the server has, or can get. */
export interface ImageSource {
  /** Where it is here. */
  path: string;
  /** Where it comes from, or what stands for that: another one is another picture. */
  from: string;
}

const MINUTE = 60_000;
/** Reading a hundred faces must not hold up what is typed meanwhile. */
const limitImageRequests = limitConcurrency(3);

/** The address of a picture that can be shown; none while it is not there, or when there is none. */
export function useImage(image: ImageSource | undefined): string | undefined {
  const response = useImageQuery(image);
  return useObjectUrl(typeof response === 'string' ? undefined : response);
}

/** Why there is no picture; nothing while that is not known, or when there is one. */
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

/** Has the picture of this path read again, if it is shown: what did not come may come now. */
export function refetchImage(path: string): void {
  const isIts = ({ queryKey: [, kind, of] }: { queryKey: readonly unknown[] }) =>
    kind === 'picture' && of === path;
  void queryClient.invalidateQueries({ predicate: isIts });
}

/** What has an icon that is a picture; an emoji is none. */
export function iconImage(path: string, icon: string | null | undefined): ImageSource | undefined {
  return icon && isImage(icon) ? { path, from: icon } : undefined;
}

async function fetchImage({ path, from }: ImageSource, signal: AbortSignal): Promise<Blob | string> {
  try {
    // The browser keeps it for a day; behind another `of` there is another picture.
    const url = `${path}${path.includes('?') ? '&' : '?'}of=${encodeURIComponent(fingerprint(from))}`;
    const response = await (await send(url, { signal })).blob();
    return await withoutAnimation(response).catch(() => response);
  } catch (error) {
    // There is none, and asking again would not help: whoever looks sees what they saw before there were pictures.
    if (error instanceof ApiError && error.status === 404 && error.retryAfter === undefined) {
      return errorText(error);
    }
    throw error;
  }
}

/** Tells one address from another without saying it: it may hold what is not for the log of a proxy. */
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
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}
