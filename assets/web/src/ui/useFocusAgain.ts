/** Gives the focus back to a button that was replaced by what it opened. */
import { type RefCallback, useCallback, useEffect, useRef } from 'react';

/** The `ref` of the button. `isOpen`: what it opened is shown in its place. */
export function useFocusAgain(isOpen: boolean): RefCallback<HTMLElement> {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen) wasOpen.current = true;
  }, [isOpen]);
  return useCallback((button) => {
    if (!button || !wasOpen.current) return;
    wasOpen.current = false;
    button.focus();
  }, []);
}
