/** What rules of views are evaluated with, besides the rows. */

/** The teams of each person, by ID. */
export type Memberships = ReadonlyMap<string, ReadonlySet<string>>;

export const NO_MEMBERSHIPS: Memberships = new Map();
