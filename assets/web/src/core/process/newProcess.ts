/** The ID and text of a new process. Views and tours have IDs of the same form. */
import { freeVariant } from '@/core/ids';

/** A valid and unused ID (2 to 50 of a–z, 0–9 and -), derived from a name. */
export function newProcessId(name: string, isTaken: (id: string) => boolean, fallback = 'process'): string {
  const plain = name
    .slice(0, 500)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '');
  return freeVariant(plain.length >= 2 ? plain : fallback, isTaken);
}

export const STARTING_PARTICIPANTS = [
  { alias: 'user', name: 'User' },
  { alias: 'app', name: 'Application' },
  { alias: 'db', name: 'Database' },
];

/** The text of a new process: a valid example. */
export const STARTING_TEXT = `sequenceDiagram
    actor user as "User"
    participant app as "Application"
    participant db as "Database"
    user->>app: Request page
    app->>db: Query data
    alt found
        db-->>app: Rows
        app-->>user: Page
    else not found
        db-->>app: No rows
        app-->>user: 404 page
    end
`;
