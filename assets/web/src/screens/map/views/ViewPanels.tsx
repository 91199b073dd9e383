/** Dialogs and panels about views, loaded on demand. */
import { lazy, Suspense } from 'react';
import { useSearch } from 'wouter';
import { parseTourQuery } from '@/map/state/tourUrl';
import { closeViewDialog, useViewDialog } from '@/map/state/viewDialogs';

const SaveView = lazy(() => import('./SaveView').then((module) => ({ default: module.SaveView })));
const RenameView = lazy(() => import('./RenameView').then((module) => ({ default: module.RenameView })));
const RemoveOrDelete = lazy(() =>
  import('./RemoveOrDelete').then((module) => ({ default: module.RemoveOrDelete })),
);
const RuleEditor = lazy(() => import('./RuleEditor').then((module) => ({ default: module.RuleEditor })));
const CompareViews = lazy(() =>
  import('./CompareViews').then((module) => ({ default: module.CompareViews })),
);
const TourEditor = lazy(() =>
  import('../tours/TourEditor').then((module) => ({ default: module.TourEditor })),
);
const Presenter = lazy(() => import('../tours/Presenter').then((module) => ({ default: module.Presenter })));

export function ViewPanels() {
  const presented = parseTourQuery(useSearch());
  return (
    <Suspense>
      <OpenDialog />
      {presented && <Presenter key={presented.tourId} {...presented} />}
    </Suspense>
  );
}

function OpenDialog() {
  const open = useViewDialog((state) => state.open);
  switch (open?.kind) {
    case 'save':
      return <SaveView {...open} onClose={closeViewDialog} />;
    case 'rename':
      return <RenameView address={open.address} onClose={closeViewDialog} />;
    case 'remove':
      return <RemoveOrDelete onClose={closeViewDialog} />;
    case 'rules':
      return <RuleEditor onClose={closeViewDialog} />;
    case 'compare':
      return <CompareViews key={open.address} address={open.address} onClose={closeViewDialog} />;
    case 'tour':
      return <TourEditor key={open.id ?? ''} id={open.id} onClose={closeViewDialog} />;
    default:
      return null;
  }
}
