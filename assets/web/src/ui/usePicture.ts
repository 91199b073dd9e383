/**
 * External images fetched through the server. They are requested with the user's token, which an `<img>` would not
 * send, and shown from memory.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, explain } from '@/api/errors';
import { send } from '@/api/http';
import { useSession } from '@/api/session';
import { queryClient } from '@/app/queries';
import { abreast } from '@/core/abreast';
import { isPicture } from '@/core/wiki/icon';
import { calm } from './still';

/** An image that the server has or can fetch. */
export interface Picture {
  /** Its URL on this server. */
  path: string;
  /** Its source, or a value that identifies it: a new source is a new image. */
  from: string;
}

const MINUTE = 60_000;
/** Limits parallel requests, so that avatars do not delay other requests. */
const inTurn = abreast(3);

/** The URL of a loaded image; undefined while it is loading and if there is none. */
export function usePicture(picture: Picture | undefined): string | undefined {
  const came = useWhatCame(picture);
  return useAddress(typeof came === 'string' ? undefined : came);
}

/** Why there is no image; undefined while unknown and if there is one. */
export function useNoPicture(picture: Picture | undefined): string | undefined {
  const came = useWhatCame(picture);
  return typeof came === 'string' ? came : undefined;
}

function useWhatCame(picture: Picture | undefined): Blob | string | undefined {
  const orgId = useSession((state) => state.session?.orgId ?? '');
  const { data } = useQuery({
    queryKey: [orgId, 'picture', picture?.path, picture?.from],
    queryFn: ({ signal }) => inTurn(() => read(picture as Picture, signal)),
    enabled: picture !== undefined,
    staleTime: 30 * MINUTE,
    gcTime: 10 * MINUTE,
    refetchOnWindowFocus: false,
    retry: (count, error) => count < 3 && error instanceof ApiError && error.retryAfter !== undefined,
    retryDelay: (_, error) => (error as ApiError).retryAfter ?? 0,
  });
  return data;
}

/** Requests a visible image again, because it may be available now. */
export function lookAgain(path: string): void {
  const isIts = ({ queryKey: [, kind, of] }: { queryKey: readonly unknown[] }) =>
    kind === 'picture' && of === path;
  void queryClient.invalidateQueries({ predicate: isIts });
}

/** The image of an icon; undefined for an emoji. */
export function pictureAt(path: string, icon: string | null | undefined): Picture | undefined {
  return icon && isPicture(icon) ? { path, from: icon } : undefined;
}

async function read({ path, from }: Picture, signal: AbortSignal): Promise<Blob | string> {
  try {
    // The browser caches it for a day; another value of `of` is another image.
    const url = `${path}${path.includes('?') ? '&' : '?'}of=${encodeURIComponent(short(from))}`;
    const came = await (await send(url, { signal })).blob();
    return await calm(came).catch(() => came);
  } catch (error) {
    // There is no image and a retry would not help: show the fallback.
    if (error instanceof ApiError && error.status === 404 && error.retryAfter === undefined) {
      return explain(error);
    }
    throw error;
  }
}

/** Hashes the source URL, which may contain secrets that must not appear in proxy logs. */
function short(address: string): string {
  let sum = 0n;
  for (const letter of address)
    sum = BigInt.asUintN(64, sum * 1_099_511_628_211n + BigInt(letter.codePointAt(0) ?? 0));
  return sum.toString(36);
}

function useAddress(blob: Blob | undefined): string | undefined {
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
