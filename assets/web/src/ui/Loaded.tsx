/** The loading, error and loaded states of a query. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { explain } from '@/api/errors';
import { Button } from './Button';
import { Problem } from './Form';
import { Waiting } from './Waiting';

interface Props<T> {
  query: UseQueryResult<T>;
  what: string;
  children: (data: T) => ReactNode;
}

export function Loaded<T>({ query, what, children }: Props<T>) {
  const { data, error, refetch, isFetching } = query;
  if (data !== undefined) return children(data);
  if (!error) return <Waiting what={what} />;
  return (
    <>
      <Problem text={explain(error)} />
      <div>
        <Button busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    </>
  );
}
