/** The entry point. Imports styles and fonts before the application. */
import '@fontsource-variable/source-sans-3';
import '@fontsource/barlow-condensed/500.css';
import '@fontsource/barlow-condensed/600.css';
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { restorePageAfterSignOut } from './api/signOut';
import { App } from './app/App';
import { applyTheme } from './ui/theme';

applyTheme();
restorePageAfterSignOut();
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
