/** The loading, error and loaded states of a query. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '@/api/errors';
import { Button } from './Button';
import { FormError } from './Form';
import { Loading } from './Loading';

interface Props<T> {
  query: UseQueryResult<T>;
  what: string;
  children: (data: T) => ReactNode;
}

export function QueryResult<T>({ query, what, children }: Props<T>) {
  const { data, error, refetch, isFetching } = query;
  if (data !== undefined) return children(data);
  if (!error) return <Loading what={what} />;
  return (
    <>
      <FormError text={errorText(error)} />
      <div>
        <Button busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    </>
  );
}
